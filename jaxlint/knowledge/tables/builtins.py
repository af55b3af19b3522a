"""Python's builtins. The interpreter interprets them by name (model "builtin"); here are parameters and effects."""

TABLES = {
    "builtins": """
@ model=builtin
bool(x) -> bool
float(x) -> float
int(x, base) -> int
complex(real, imag) -> python
str(object, encoding, errors) -> str
repr(obj) -> str
ascii(obj) -> str
bytes(source, encoding, errors) -> bytes
bytearray(source, encoding, errors) -> python
format(value, format_spec) -> str
len(obj) -> int
range(start, stop, step) -> python
slice(start, stop, step) -> python
enumerate(iterable, start) -> python
zip(*iterables) -> python
map(func, *iterables) -> python
filter(function, iterable) -> python
sorted(iterable, *, key, reverse) -> python
reversed(sequence) -> python
min max(*args) -> unknown
sum(iterable, start) -> unknown
any all(iterable) -> bool
abs(x) -> unknown
round(number, ndigits!) -> unknown
divmod(x, y) -> unknown
pow(base, exp, mod) -> unknown
isinstance(obj, class_or_tuple) -> bool
issubclass(cls, class_or_tuple) -> bool
hasattr(obj, name) -> bool
getattr(obj, name, default) -> unknown
setattr(obj, name, value) -> none
delattr(obj, name) -> none
type(object, bases, dict) -> python
tuple list set frozenset(iterable) -> python
dict(**kwargs) -> python
object() -> python
super(type, obj) -> python
property(fget, fset, fdel, doc) -> python
staticmethod classmethod(function) -> python
iter(object, sentinel) -> unknown
next(iterator, default) -> unknown
id(obj) -> int
hash(obj) -> int
callable(obj) -> bool
vars(object) -> python
dir(object) -> python
globals locals() -> python
chr(i) -> str
ord(c) -> int
bin hex oct(number) -> str
memoryview(object) -> python
print(*args) -> none effect=print reads=print
input(prompt) -> str effect=input
open(file, mode, buffering, encoding, errors, newline, closefd, opener) -> file effect=file
eval exec(source, globals, locals) -> unknown
compile(source, filename, mode, flags, dont_inherit, optimize) -> python
breakpoint(*args) -> none effect=input
exit quit(code) -> none
__import__(name, globals, locals, fromlist, level) -> python
__build_class__(func, name) -> python
aiter(async_iterable) -> unknown
anext(iterator, default) -> unknown
@
NotImplemented Ellipsis -> python
True -> bool value=True
False -> bool value=False
None -> none value=None
__debug__ -> bool value=True
@ exception
BaseException Exception ArithmeticError AssertionError AttributeError BlockingIOError(*args) -> object
BrokenPipeError BufferError ChildProcessError ConnectionError ConnectionAbortedError(*args) -> object
ConnectionRefusedError ConnectionResetError EOFError FileExistsError FileNotFoundError(*args) -> object
FloatingPointError GeneratorExit ImportError IndentationError IndexError InterruptedError(*args) -> object
IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError(*args) -> object
NotADirectoryError NotImplementedError OSError OverflowError PermissionError ProcessLookupError(*args) -> object
RecursionError ReferenceError RuntimeError StopAsyncIteration StopIteration SyntaxError SystemError(*args) -> object
SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError(*args) -> object
UnicodeError UnicodeTranslateError ValueError ZeroDivisionError BaseExceptionGroup ExceptionGroup(*args) -> object
Warning BytesWarning DeprecationWarning EncodingWarning FutureWarning ImportWarning(*args) -> object
PendingDeprecationWarning ResourceWarning RuntimeWarning SyntaxWarning UnicodeWarning UserWarning(*args) -> object
""",
}
