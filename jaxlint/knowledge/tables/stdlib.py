"""The parts of the standard library that JAX programs use: what is pure, what has an effect, what reads a clock."""

TABLES = {
    "time": """
@ effect=clock model=clock
time(*) -> float unit=s kind=wall
perf_counter(*) -> float unit=s kind=wall
monotonic(*) -> float unit=s kind=wall
process_time thread_time(*) -> float unit=s kind=cpu
time_ns perf_counter_ns monotonic_ns(*) -> int unit=ns kind=wall
process_time_ns thread_time_ns(*) -> int unit=ns kind=cpu
clock(*) -> float unit=s kind=wall removed=3.8
clock_gettime(clk_id) -> float unit=s kind=wall
clock_gettime_ns(clk_id) -> int unit=ns kind=wall
@
sleep(seconds!) -> none effect=clock
strftime(format, t) -> str effect=clock
ctime asctime(seconds) -> str effect=clock
localtime gmtime(seconds) -> python effect=clock
mktime(tuple) -> float
strptime(string, format) -> python
struct_time -> python class
get_clock_info(name) -> python
clock_getres(clk_id) -> float
clock_settime clock_settime_ns(clk_id, time) -> none effect=clock
pthread_getcpuclockid(thread_id) -> int
tzset() -> none
""",
    "timeit": """
default_timer(*) -> float model=clock effect=clock unit=s kind=wall
timeit(stmt, setup, timer, number!, globals) -> float model=timeit effect=clock
repeat(stmt, setup, timer, repeat!, number!, globals) -> python model=timeit effect=clock
Timer(stmt, setup, timer, globals) -> instance model=timeit
Timer.timeit(number!) -> float model=timeit effect=clock
Timer.repeat(repeat!, number!) -> python model=timeit effect=clock
Timer.autorange(callback) -> python model=timeit effect=clock
""",
    "datetime": """
datetime(year!, month!, day!, hour!, minute!, second!, microsecond!, tzinfo) -> instance
datetime.now(tz) -> instance effect=clock model=clock unit=s kind=wall
datetime.utcnow datetime.today() -> instance effect=clock model=clock unit=s kind=wall
datetime.strftime(format) -> str
datetime.isoformat(sep, timespec) -> str
datetime.timestamp() -> float
datetime.strptime(date_string, format) -> instance
datetime.fromtimestamp(timestamp, tz) -> instance
timedelta(days!, seconds!, microseconds!, milliseconds!, minutes!, hours!, weeks!) -> instance
timedelta.total_seconds() -> float
date(year!, month!, day!) -> instance
date.today() -> instance effect=clock
timezone(offset, name) -> object
UTC -> object
""",
    "math": """
acos acosh asin asinh atan atanh cos cosh exp expm1 log1p sin sinh sqrt tan tanh(x!) -> float model=math jnp
exp2 cbrt(x!) -> float model=math jnp
erf erfc(x!) -> float model=math
lgamma(x!) -> float model=math jnp=jax.scipy.special.gammaln
gamma(x!) -> float model=math jnp=jax.scipy.special.gamma
ceil floor trunc(x!) -> int model=math jnp
fabs degrees radians(x!) -> float model=math jnp
log(x!, base!) -> float model=math jnp
log2 log10(x!) -> float model=math jnp
atan2(y!, x!) -> float model=math jnp
copysign fmod(x!, y!) -> float model=math jnp
remainder(x!, y!) -> float model=math
pow(x!, y!) -> float model=math jnp=jax.numpy.power
ldexp(x!, i!) -> float model=math jnp
nextafter(x!, y!) -> float model=math jnp
ulp(x!) -> float model=math
fma(x!, y!, z!) -> float model=math since=3.13
hypot(*coordinates) -> float model=math jnp
dist(p!, q!) -> float model=math
fsum(seq!) -> float model=math jnp=jax.numpy.sum
sumprod(p!, q!) -> float model=math jnp=jax.numpy.dot since=3.12
prod(iterable, *, start) -> unknown model=math jnp=jax.numpy.prod accepts_tracers
isfinite isinf isnan(x!) -> bool model=math jnp
isclose(a!, b!, *, rel_tol, abs_tol) -> bool model=math jnp
frexp modf(x!) -> python model=math jnp
factorial(n!) -> int model=math jnp=jax.scipy.special.factorial
comb perm(n!, k!) -> int model=math
gcd lcm(*integers) -> int model=math jnp
isqrt(n!) -> int model=math
pi -> float value=3.141592653589793
e -> float value=2.718281828459045
tau -> float value=6.283185307179586
inf nan -> float
""",
    "functools": """
partial(func, *args) -> object model=partial
partialmethod(func, *args) -> object model=partial
lru_cache(maxsize, typed) -> object model=lru_cache decorator_factory
cache(user_function) -> object model=lru_cache
cached_property(func) -> object model=lru_cache property
wraps(wrapped, assigned, updated) -> object model=wraps
update_wrapper(wrapper, wrapped, assigned, updated) -> same model=passthrough_decorator
reduce(function, iterable, initial) -> unknown model=reduce
singledispatch(func) -> object model=passthrough_decorator
singledispatchmethod(func) -> object model=passthrough_decorator
total_ordering(cls) -> same model=passthrough_decorator
cmp_to_key(mycmp) -> object
""",
    "itertools": """
accumulate(iterable, func, *, initial) -> unknown
chain(*iterables) -> unknown model=chain
chain.from_iterable(iterable) -> unknown
combinations combinations_with_replacement permutations(iterable, r!) -> unknown
compress(data, selectors) -> unknown
count(start, step) -> unknown model=count
cycle(iterable) -> unknown model=cycle
dropwhile takewhile(predicate, iterable) -> unknown
filterfalse(function, iterable) -> unknown
groupby(iterable, key) -> unknown
islice(iterable, *args) -> unknown model=islice
pairwise(iterable) -> unknown
product(*iterables) -> unknown
repeat(object, times!) -> unknown model=repeat
starmap(function, iterable) -> unknown
tee(iterable, n!) -> unknown
zip_longest(*iterables) -> unknown
batched(iterable, n!) -> unknown model=loader batch=n drop=None ragged since=3.12
""",
    "operator": """
@ model=operator
add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift(a, b) -> unknown
eq ne lt le gt ge(a, b) -> unknown
neg pos invert inv abs(a) -> unknown
not_ truth(a) -> bool
is_ is_not(a, b) -> bool
index(a!) -> int
contains(a, b) -> bool
countOf indexOf(a, b) -> int
getitem delitem concat(a, b) -> unknown
setitem(a, b, c) -> none
iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift iconcat(a, b) -> unknown
length_hint(obj, default) -> int
call(obj, *args) -> unknown
@
attrgetter itemgetter(item, *items) -> object model=itemgetter
methodcaller(name, *args) -> object model=itemgetter
""",
    "collections": """
OrderedDict(*args) -> python model=builtin like=dict
defaultdict(default_factory, *args) -> python model=builtin like=dict
Counter(iterable) -> python model=builtin like=dict
ChainMap(*maps) -> python model=builtin like=dict
deque(iterable, maxlen!) -> python model=builtin like=list
namedtuple(typename, field_names, *, rename, defaults, module) -> python model=namedtuple
UserDict UserList UserString(...) -> python
""",
    "collections.abc": """
Callable Mapping MutableMapping Sequence MutableSequence Iterable Iterator Generator Set MutableSet -> python class
Hashable -> python class
Sized Container Collection Reversible KeysView ValuesView ItemsView Awaitable Coroutine AsyncIterator -> python class
""",
    "contextlib": """
contextmanager(func) -> object model=contextmanager
asynccontextmanager(func) -> object model=contextmanager
nullcontext(enter_result) -> object model=nullcontext
suppress(*exceptions) -> object
closing(thing) -> object
redirect_stdout redirect_stderr(new_target) -> object
ExitStack AsyncExitStack() -> object
AbstractContextManager ContextDecorator -> python class
""",
    "dataclasses": """
dataclass(cls, *, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot)
  -> same model=dataclass decorator_factory
field(*, default, default_factory, init, repr, hash, compare, metadata, kw_only) -> unknown model=dataclass_field
replace(obj, *) -> unknown model=dataclass_replace
asdict astuple(obj, *) -> unknown model=dataclass_asdict
fields(class_or_instance) -> python
is_dataclass(obj) -> bool
make_dataclass(cls_name, fields, *) -> python
KW_ONLY MISSING InitVar FrozenInstanceError -> python
""",
    "enum": """
Enum IntEnum StrEnum Flag IntFlag EnumMeta EnumType -> python class
auto(value) -> int
unique(enumeration) -> same model=passthrough_decorator
""",
    "abc": """
ABC ABCMeta -> python class
abstractmethod(funcobj) -> same model=passthrough_decorator
abstractproperty(funcobj) -> same model=passthrough_decorator
abstractclassmethod abstractstaticmethod(callable) -> same model=passthrough_decorator
""",
    "typing": """
cast(typ, val) -> unknown model=cast
overload(func) -> same model=passthrough_decorator
runtime_checkable(cls) -> same model=passthrough_decorator
final(f) -> same model=passthrough_decorator
no_type_check(arg) -> same model=passthrough_decorator
dataclass_transform(*) -> object model=passthrough_decorator decorator_factory
NamedTuple(typename, fields) -> python model=namedtuple typed
TypedDict(typename, fields, *, total) -> python
TypeVar(name, *constraints) -> python
ParamSpec TypeVarTuple NewType(name, ...) -> python
get_type_hints(obj) -> python
get_origin get_args(tp) -> python
override(method) -> same model=passthrough_decorator since=3.12
assert_never(arg) -> same
reveal_type(obj) -> same
assert_type(val, typ) -> same
TYPE_CHECKING -> bool value=False
Any Dict FrozenSet Generic Iterable Iterator List Literal Mapping Optional Protocol Sequence Set -> python class
Tuple Type Union ClassVar Final Annotated Generator Hashable MutableMapping NoReturn Self Text -> python class
AnyStr Awaitable Collection Container Counter DefaultDict Deque MutableSequence OrderedDict -> python class
Sized TypeAlias -> python class
Concatenate Required NotRequired Never Unpack TypeGuard SupportsFloat SupportsInt SupportsIndex -> python class
""",
    "copy": """
copy(x) -> unknown model=copy
deepcopy(x, memo) -> unknown model=copy deep
replace(obj) -> unknown model=dataclass_replace since=3.13
""",
    "random": """
@ effect=random
random() -> float
uniform(a!, b!) -> float
gauss normalvariate lognormvariate(mu!, sigma!) -> float
randint(a!, b!) -> int
randrange(start!, stop!, step!) -> int
getrandbits(k!) -> int
choice(seq) -> unknown
choices(population, weights, *, cum_weights, k!) -> unknown
sample(population, k!, *, counts) -> unknown
shuffle(x) -> none
betavariate gammavariate weibullvariate(alpha!, beta!) -> float
expovariate(lambd!) -> float
triangular(low!, high!, mode!) -> float
paretovariate(alpha!) -> float
vonmisesvariate(mu!, kappa!) -> float
seed(a, version) -> none
getstate() -> python
setstate(state) -> none
Random SystemRandom(x) -> instance
Random.random() -> float
Random.uniform(a!, b!) -> float
Random.randint(a!, b!) -> int
Random.choice(seq) -> unknown
Random.sample(population, k!) -> unknown
Random.shuffle(x) -> none
""",
    "statistics": """
@ model=math
mean fmean(data!) -> float jnp=jax.numpy.mean
median median_low median_high(data!) -> float jnp=jax.numpy.median
stdev variance pstdev pvariance(data!) -> float
mode(data!) -> unknown
geometric_mean harmonic_mean(data!) -> float
quantiles(data!, *, n, method) -> python
""",
    "cmath": """
@ model=math
exp log sqrt cos sin tan(z!) -> python jnp
phase(z!) -> float jnp=jax.numpy.angle
polar(z!) -> python
rect(r!, phi!) -> python
isnan isinf isfinite(z!) -> bool jnp
@
pi -> float value=3.141592653589793
""",
}
