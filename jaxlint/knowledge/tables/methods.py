"""Methods and attributes of values, by kind of value. A line without parentheses is an attribute.

Kinds: `array` (jax.Array and tracers), `at` (what `x.at[i]` gives), `ndarray` (NumPy arrays and scalars), `key`.
Parameters leave out `self`: position 0 is the first argument in the call.
"""

TABLES = {
    "array": """
shape dtype aval sharding device committed weak_type is_fully_addressable is_fully_replicated vma -> python
ndim size nbytes itemsize -> int
global_shards addressable_shards -> python
T mT real imag -> array
at -> object kind=at
sum prod(axis!, dtype, out, keepdims!, initial, where, promote_integers!) -> reduce
max min(axis!, out, keepdims!, initial, where) -> reduce
mean(axis!, dtype, out, keepdims!, *, where) -> reduce float
std var(axis!, dtype, out, ddof!, keepdims!, *, where) -> reduce float
all any(axis!, out, keepdims!, *, where) -> reduce dtype=bool
argmax argmin(axis!, out, keepdims!) -> reduce dtype=int32
ptp(axis!, out, keepdims!) -> reduce
cumsum cumprod(axis!, dtype, out) -> array strong
argsort(axis!, *, stable!, descending!) -> like dtype=int32
sort(axis!, *, stable!, descending!) -> like
argpartition(kth!, axis!) -> like dtype=int32
astype(dtype, copy!, device) -> like dtype=dtype
view(dtype, type) -> array
reshape(*args, order) -> array model=reshape
ravel flatten(order) -> array
transpose(*args) -> array
swapaxes(axis1!, axis2!) -> array
squeeze(axis!) -> array
repeat(repeats#, axis!, *, total_repeat_length%) -> array
take(indices, axis!, out, mode, unique_indices!, indices_are_sorted!, fill_value) -> array
choose(choices, out, mode) -> array
compress(condition#, axis!, out, *, size%!, fill_value) -> array model=nonzero mask=condition
nonzero(*, size%!, fill_value) -> arrays model=nonzero
diagonal(offset!, axis1!, axis2!) -> array
trace(offset!, axis1!, axis2!, dtype, out) -> array
searchsorted(v, side, sorter) -> array
dot(b, *) -> array
clip(min, max) -> like
round(decimals!, out) -> like
conj conjugate() -> like
copy() -> like
item(*args) -> python reads=item blocks scalar
tolist() -> python reads=item blocks
tobytes(order) -> bytes reads=numpy blocks
__array__(dtype, copy) -> host reads=numpy blocks
__bool__() -> bool reads=item blocks
__float__() -> float reads=item blocks
__int__ __index__() -> int reads=item blocks
__len__() -> int nodispatch
block_until_ready() -> same model=block_until_ready blocks
copy_to_host_async() -> none nodispatch
is_ready is_deleted() -> bool nodispatch
devices() -> python nodispatch
delete() -> none nodispatch
on_device_size_in_bytes() -> int nodispatch
unsafe_buffer_pointer() -> int nodispatch
to_device(device, *, stream) -> same model=device_put
addressable_data(index) -> array
""",
    "at": """
get(*, indices_are_sorted, unique_indices, mode, fill_value) -> array
set add subtract multiply divide power min max(values, *, indices_are_sorted, unique_indices, mode) -> array update
mul(values) -> array update
apply(func, *, indices_are_sorted, unique_indices, mode) -> array update
""",
    "key": """
shape dtype aval sharding -> python
ndim size -> int
at -> object kind=at
reshape(*args) -> keys
ravel flatten(order) -> keys
transpose(*args) -> keys
squeeze(axis!) -> keys
block_until_ready() -> same model=block_until_ready blocks
""",
    "ndarray": """
shape dtype strides flags base ctypes data -> python
ndim size nbytes itemsize -> int
T mT real imag flat -> host
sum prod max min mean std var all any argmax argmin ptp cumsum cumprod(axis, dtype, out, keepdims) -> host
argsort argpartition searchsorted take choose compress diagonal trace dot clip round conj conjugate(*args) -> host
astype(dtype, order, casting, subok, copy) -> host
reshape(*shape) -> host
ravel flatten transpose swapaxes squeeze repeat copy view byteswap newbyteorder(*args) -> host
nonzero() -> python
item(*args) -> python scalar
tolist() -> python
tobytes(order) -> bytes
tofile(fid, sep, format) -> none effect=file
dump(file) -> none effect=file
dumps() -> bytes
fill(value) -> none writes
sort(axis, kind, order) -> none writes
partition(kth, axis, kind, order) -> none writes
put(indices, values, mode) -> none writes
resize(new_shape, refcheck) -> none writes
setflags(write, align, uic) -> none
""",
}
