"""jax.numpy. Results, parameters and marks are those of JAX 0.10.2, as `tests/knowledge` measures them."""

TABLES = {
    "jax.numpy": """
# --- elementwise, one operand ("float": integers are promoted to floating point)
acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh(x) -> like float
cbrt cos cosh deg2rad degrees exp exp2 expm1 i0 log log10 log1p log2 rad2deg radians reciprocal rint sin sinc(x)
  -> like float
sinh spacing sqrt tan tanh fabs(x) -> like float
abs absolute bitwise_invert bitwise_not ceil conj conjugate floor invert negative positive sign square trunc(x) -> like
angle(z, deg!) -> like float
around round(a, decimals!, out) -> like
real imag(val) -> like
clip(arr, min, max) -> broadcast
nan_to_num(x, copy, nan, posinf, neginf) -> like
isfinite isinf isnan iscomplex isreal logical_not signbit(x) -> bool_like
isneginf isposinf(x, out) -> bool_like
bitwise_count(x) -> like dtype=uint8
frexp(x) -> arrays count=2
modf(x, out) -> arrays count=2

# --- elementwise, more operands
add bitwise_and bitwise_or bitwise_xor multiply subtract maximum minimum(x, y) -> broadcast
divide arctan2 atan2 copysign heaviside hypot true_divide ldexp(x1, x2) -> broadcast float
logaddexp logaddexp2 float_power nextafter(x, y) -> broadcast float
floor_divide fmax fmin fmod gcd lcm mod pow power remainder right_shift bitwise_right_shift(x1, x2) -> broadcast
left_shift bitwise_left_shift(x, y) -> broadcast
equal greater greater_equal less less_equal not_equal logical_and logical_or logical_xor(x, y) -> bool_like
isclose(a, b, rtol, atol, equal_nan!) -> bool_like
divmod(x1, x2) -> arrays count=2
where(condition, x, y, *, size%!, fill_value) -> broadcast model=where
select(condlist, choicelist, default) -> array
piecewise(x, condlist, funclist, *args) -> array
interp(x, xp, fp, left, right, period) -> array
polyval(p, x, *, unroll!) -> array
isin(element, test_elements, assume_unique!, invert!) -> array dtype=bool

# --- reductions
sum prod(a, axis!, dtype, out, keepdims!, initial, where, promote_integers!) -> reduce
max min amax amin(a, axis!, out, keepdims!, initial, where) -> reduce
mean(a, axis!, dtype, out, keepdims!, *, where) -> reduce float
std var(a, axis!, dtype, out, ddof, keepdims!, *, where) -> reduce float
nanmean(a, axis!, dtype, out, keepdims!, where) -> reduce float
nanstd nanvar(a, axis!, dtype, out, ddof, keepdims!, where, mean) -> reduce float
nansum nanprod(a, axis!, dtype, out, keepdims!, initial, where) -> reduce
nanmax nanmin(a, axis!, out, keepdims!, initial, where) -> reduce
ptp(a, axis!, out, keepdims!) -> reduce
all any(a, axis!, out, keepdims!, *, where) -> reduce dtype=bool
argmax argmin nanargmax nanargmin(a, axis!, out, keepdims!) -> reduce dtype=int32
count_nonzero(a, axis!, keepdims!) -> reduce dtype=int32
average(a, axis!, weights, returned!, keepdims!) -> reduce float
median nanmedian(a, axis!, out, overwrite_input!, keepdims!) -> reduce float
percentile quantile nanpercentile nanquantile(a, q, axis!, out, overwrite_input!, method, keepdims!) -> array
trace(a, offset, axis1!, axis2!, dtype, out) -> array strong
allclose(a, b, rtol, atol, equal_nan!) -> array dtype=bool shape=()
array_equal(a1, a2, equal_nan!) -> array dtype=bool shape=()
array_equiv(a1, a2) -> array dtype=bool shape=()

# --- making arrays
zeros(shape#, dtype, *, device) -> array model=zeros value=0
ones(shape#, dtype, *, device) -> array model=zeros value=1
empty(shape#, dtype, *, device) -> array model=zeros value=0
zeros_like(a, dtype, shape#, *, device) -> array model=zeros_like value=0
ones_like(a, dtype, shape#, *, device) -> array model=zeros_like value=1
empty_like(prototype, dtype, shape#, *, device) -> array model=zeros_like value=0
full(shape#, fill_value, dtype, *, device) -> array model=full
full_like(a, fill_value, dtype, shape#, *, device) -> array model=zeros_like fill=fill_value
arange(start#, stop#, step#, dtype, *, device) -> array model=arange
linspace(start, stop, num#, endpoint!, retstep!, dtype, axis!, *, device) -> array
logspace(start, stop, num#, endpoint!, base, dtype, axis!) -> array
geomspace(start, stop, num#, endpoint!, dtype, axis!) -> array
eye(N#, M#, k, dtype, *, device) -> array
identity(n#, dtype) -> array
tri(N#, M#, k, dtype) -> array
indices(dimensions#, dtype, sparse!) -> array
fromfunction(function, shape#, *, dtype) -> array
bartlett blackman hamming hanning(M#) -> array
kaiser(M#, beta) -> array
array(object, dtype, copy!, order, ndmin!) -> array model=asarray copies
asarray(a, dtype, order, *, copy!) -> array model=asarray
astype(x, dtype, *, copy!) -> like dtype=dtype
copy(a, order) -> like
from_dlpack(x) -> array
frombuffer(buffer, dtype, count!, offset!) -> array
fromstring(string, dtype, count!) -> array
fromfile fromiter(*args) -> array
mgrid ogrid r_ c_ -> object
index_exp s_ -> python
vander(x, N#, increasing!) -> array

# --- shape
reshape(a, shape#, order) -> array model=reshape
ravel(a, order) -> array
transpose(a, axes!) -> array
permute_dims(a, axes!) -> array
matrix_transpose(x) -> array
swapaxes(a, axis1!, axis2!) -> array
moveaxis(a, source!, destination!) -> array
rollaxis(a, axis!, start!) -> array
squeeze(a, axis!) -> array
expand_dims(a, axis!) -> array
broadcast_to(array, shape#, *) -> array
broadcast_arrays(*args) -> arrays
atleast_1d atleast_2d atleast_3d(*arys) -> array
flip(m, axis!) -> like
fliplr flipud(m) -> like
rot90(m, k!, axes!) -> array
roll(a, shift, axis!) -> like
tile(A, reps#) -> array
repeat(a, repeats#, axis!, *, total_repeat_length%) -> array
resize(a, new_shape#) -> array
pad(array, pad_width#, mode, **kwargs) -> array model=concatenate
trim_zeros(filt, trim, axis!) -> array dynamic

# --- joining and splitting
concatenate(arrays, axis!, dtype) -> array model=concatenate
concat(arrays, *, axis!) -> array model=concatenate
append(arr, values, axis!) -> array model=append
stack(arrays, axis!, out, dtype) -> array model=stack
hstack dstack(tup, dtype) -> array model=concatenate
vstack(tup, dtype) -> array model=concatenate
column_stack(tup) -> array model=concatenate
block(arrays) -> array model=concatenate
insert(arr, obj, values, axis!) -> array model=append
delete(arr, obj#, axis!, *, assume_unique_indices%!) -> array model=append
split(ary, indices_or_sections#, axis!) -> arrays
array_split(ary, indices_or_sections#, axis!) -> arrays model=array_split
hsplit vsplit dsplit(ary, indices_or_sections#) -> arrays
unstack(x, *, axis!) -> arrays

# --- indexing and searching
take(a, indices, axis!, out, mode, unique_indices!, indices_are_sorted!, fill_value) -> array
take_along_axis(arr, indices, axis!, mode, fill_value) -> array
put_along_axis(arr, indices, values, axis!, inplace!) -> like
put(a, ind, v, mode, *, inplace!) -> like
place(arr, mask, vals, *, inplace!) -> like
choose(a, choices, out, mode) -> array
fill_diagonal(a, val, wrap!, *, inplace!) -> like
diag(v, k!) -> array
diagflat(v, k!) -> array
diagonal(a, offset!, axis1!, axis2!) -> array
tril triu(m, k!) -> like
tril_indices triu_indices(n#, k!, m#) -> arrays count=2
tril_indices_from triu_indices_from(arr, k!) -> arrays count=2
diag_indices(n#, ndim#) -> arrays
diag_indices_from(arr) -> arrays
mask_indices(n#, mask_func, k!, *, size%!) -> arrays count=2 model=nonzero
ix_(*args) -> arrays
meshgrid(*xi, copy!, sparse!) -> arrays
nonzero(a, *, size%!, fill_value) -> arrays model=nonzero
flatnonzero argwhere(a, *, size%!, fill_value) -> array model=nonzero
unique(ar, return_index!, return_inverse!, return_counts!, axis!, *, size%!, fill_value, equal_nan!, sorted)
  -> array model=nonzero flags=return_index,return_inverse,return_counts
unique_all unique_counts unique_inverse(x, *, size%!, fill_value) -> tree model=nonzero
unique_values(x, *, size%!, fill_value) -> array model=nonzero
union1d(ar1, ar2, *, size%!, fill_value) -> array model=nonzero
setdiff1d(ar1, ar2, assume_unique!, *, size%!, fill_value) -> array model=nonzero
intersect1d(ar1, ar2, assume_unique!, return_indices!, *, size%!, fill_value) -> array model=nonzero
setxor1d(ar1, ar2, assume_unique!, *, size%!, fill_value) -> array model=nonzero
extract(condition, arr, *, size%!, fill_value) -> array model=nonzero
compress(condition#, a, axis!, *, size%!, fill_value) -> array model=nonzero mask=condition
bincount(x, weights, minlength!, *, length%!) -> array model=nonzero
searchsorted(a, v, side, sorter, *, method) -> array dtype=int32
digitize(x, bins, right!, *, method) -> like dtype=int32
histogram(a, bins#, range, weights, density!) -> arrays count=2
histogram_bin_edges(a, bins#, range, weights) -> array
histogram2d(x, y, bins#, range, weights, density!) -> arrays count=3
histogramdd(sample, bins#, range, weights, density!) -> tree
ravel_multi_index(multi_index, dims!, mode, order) -> array
unravel_index(indices, shape!) -> arrays
sort(a, axis!, *, stable!, descending!) -> like
sort_complex(a) -> array
argsort(a, axis!, *, stable!, descending!) -> like dtype=int32
argpartition(a, kth!, axis!) -> like dtype=int32
partition(a, kth!, axis!) -> like
lexsort(keys, axis!) -> array dtype=int32

# --- products, sums, differences
dot(a, b, *) -> array model=product
inner(a, b, *) -> array
matmul(a, b, *) -> array model=product
matvec vecmat(x1, x2) -> array
vdot(a, b, *) -> array
vecdot(x1, x2, *, axis!) -> array
outer(a, b, out) -> array
kron(a, b) -> array
tensordot(a, b, axes!) -> array
einsum(subscripts, *operands) -> array model=einsum
einsum_path(subscripts, *operands) -> python
cross(a, b, axisa!, axisb!, axisc!, axis!) -> array
cumsum cumprod nancumsum nancumprod(a, axis!, dtype, out) -> array strong
cumulative_sum cumulative_prod(x, *, axis!, include_initial!) -> array strong
diff(a, n!, axis!, prepend, append) -> array
ediff1d(ary, to_end, to_begin) -> array
gradient(f, *varargs, axis!) -> tree
trapezoid(y, x, dx, axis!) -> array
convolve correlate(a, v, mode, *) -> array
corrcoef(x, y, rowvar!, dtype) -> array
cov(m, y, rowvar!, bias!, ddof!, fweights, aweights, dtype) -> array
unwrap(p, discont, axis!, period) -> like float
packbits(a, axis!, bitorder) -> array
unpackbits(a, axis!, count!, bitorder) -> array
poly(seq_of_zeros) -> array
polyadd polysub(a1, a2) -> array
polymul(a1, a2, *, trim_leading_zeros!) -> array
polyder(p, m!) -> array
polyint(p, m!, k) -> array
polydiv(u, v, *, trim_leading_zeros!) -> arrays count=2
polyfit(x, y, deg!, rcond, full!, w, cov!) -> array
roots(p, *, strip_zeros!) -> array dynamic

# --- functions of functions
vectorize(pyfunc, *, excluded, signature) -> object model=vmap vectorize
apply_along_axis(func1d, axis!, arr, *args) -> array model=vmap apply=func1d
apply_over_axes(func, a, axes!) -> array
frompyfunc(func, nin!, nout!, *, identity) -> object

# --- static questions: Python values even under a trace
ndim(a) -> int nodispatch
size(a, axis!) -> int nodispatch
shape(a) -> python nodispatch
iscomplexobj isrealobj(x) -> bool nodispatch
isscalar(element) -> bool nodispatch
iterable(y) -> bool nodispatch
issubdtype(arg1, arg2) -> bool nodispatch
isdtype(dtype, kind) -> bool nodispatch
can_cast(from_, to, casting) -> bool nodispatch
promote_types(a, b) -> python nodispatch
result_type(*args) -> python nodispatch
broadcast_shapes(*shapes) -> python nodispatch
finfo(dtype) -> python nodispatch
iinfo(int_type) -> python nodispatch
dtype(dtype, ...) -> python nodispatch
get_printoptions() -> python nodispatch
set_printoptions(*args) -> none nodispatch
printoptions(*args) -> object nodispatch
ComplexWarning(*args) -> object

# --- reading on the host
array_repr(arr, max_line_width, precision, suppress_small) -> str reads=numpy blocks
array_str(a, max_line_width, precision, suppress_small) -> str reads=numpy blocks
save(file, arr, allow_pickle!) -> none effect=file reads=numpy blocks
savez(file, *args) -> none effect=file reads=numpy blocks
load(file, *args) -> array effect=file

# --- scalar types: calling one makes an array of that type
bfloat16(x) -> array model=asarray dtype=bfloat16
float16(x) -> array model=asarray dtype=float16
float32 single(x) -> array model=asarray dtype=float32
float64 double float_(x) -> array model=asarray dtype=float64
int8(x) -> array model=asarray dtype=int8
int16(x) -> array model=asarray dtype=int16
int32(x) -> array model=asarray dtype=int32
int64 int_(x) -> array model=asarray dtype=int64
uint8(x) -> array model=asarray dtype=uint8
uint16(x) -> array model=asarray dtype=uint16
uint32(x) -> array model=asarray dtype=uint32
uint64 uint(x) -> array model=asarray dtype=uint64
bool_ bool(x) -> array model=asarray dtype=bool
complex64 csingle(x) -> array model=asarray dtype=complex64
complex128 cdouble complex_(x) -> array model=asarray dtype=complex128
int1 int2 int4 uint1 uint2 uint4(x) -> array model=asarray
float4_e2m1fn float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz(x) -> array model=asarray
float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu(x) -> array model=asarray
character complexfloating flexible floating generic inexact integer number object_ signedinteger unsignedinteger
  -> python
ndarray -> python class
ufunc -> python class

# --- constants
pi -> float value=3.141592653589793
e -> float value=2.718281828459045
euler_gamma -> float value=0.5772156649015329
inf nan -> float
newaxis -> none value=None
""",
    "jax.numpy.linalg": """
cholesky(a, *, upper!, symmetrize_input!) -> like float
inv(a) -> like float
pinv(a, rtol, hermitian!, *) -> array
cond(x, p) -> array
det(a) -> array
diagonal(x, *, offset!) -> array
trace(x, *, offset, dtype) -> array
eig(a) -> arrays count=2
eigh(a, UPLO, symmetrize_input!) -> arrays count=2
eigvals(a) -> array
eigvalsh(a, UPLO, *, symmetrize_input!) -> array
lstsq(a, b, rcond, *, numpy_resid!) -> arrays count=4
matmul(x1, x2, *) -> array
matrix_norm(x, *, keepdims!, ord!) -> array
matrix_power(a, n!) -> like
matrix_rank(M, rtol, *, hermitian!) -> array
matrix_transpose(x) -> array
multi_dot(arrays, *) -> array
norm(x, ord!, axis!, keepdims!) -> reduce float
vector_norm(x, *, axis!, keepdims!, ord!) -> reduce float
outer(x1, x2) -> array
cross(x1, x2, *, axis!) -> array
qr(a, mode) -> arrays count=2
slogdet(a, *, method) -> arrays count=2
solve(a, b) -> array
svd(a, full_matrices!, compute_uv!, hermitian!, subset_by_index) -> arrays count=3
svdvals(x) -> array
tensordot(x1, x2, *, axes!) -> array
tensorinv(a, ind!) -> array
tensorsolve(a, b, axes!) -> array
vecdot(x1, x2, *, axis!) -> array
""",
    "jax.numpy.fft": """
fft ifft rfft irfft hfft ihfft(a, n#, axis!, norm) -> array
fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn(a, s#, axes!, norm) -> array
fftfreq rfftfreq(n#, d, *, dtype, device) -> array
fftshift ifftshift(x, axes!) -> like
""",
}
