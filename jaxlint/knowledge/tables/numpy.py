"""NumPy. A call reads its array arguments on the host, or (`delegates`) hands over to the array's own method.

Both lists are measured: `tests/knowledge/test_numpy.py` calls each function on a tracer. `swallows` = the function
catches the error a tracer raises and answers False.
"""

TABLES = {
    "numpy": """
# --- read their arguments, and jax.numpy has the same function
@ reads=numpy jnp
abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh(x, out) -> host
bitwise_count bitwise_invert bitwise_not cbrt ceil conj conjugate cos cosh deg2rad degrees exp exp2(x, out) -> host
expm1 fabs floor invert isfinite isinf isnan isneginf isposinf log log10 log1p log2 logical_not(x, out) -> host
negative positive rad2deg radians reciprocal rint sign signbit sin sinh spacing sqrt square tan tanh(x, out) -> host
trunc(x, out) -> host
add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor(x1, x2, out) -> host
copysign divide equal float_power floor_divide fmax fmin fmod gcd greater greater_equal heaviside(x1, x2, out) -> host
hypot lcm ldexp left_shift less less_equal logaddexp logaddexp2 logical_and logical_or(x1, x2, out) -> host
logical_xor matmul matvec maximum minimum mod multiply nextafter not_equal pow power remainder(x1, x2, out) -> host
right_shift subtract true_divide vecdot vecmat(x1, x2, out) -> host
allclose(a, b, rtol, atol, equal_nan) -> bool
angle(z, deg) -> host
append(arr, values, axis) -> host model=append
apply_along_axis(func1d, axis, arr, *args) -> host
apply_over_axes(func, a, axes) -> host
arange(start, stop, step, dtype) -> host
argpartition partition(a, kth, axis, kind, order) -> host
argwhere flatnonzero sort_complex(a) -> host
array(object, dtype, copy, order) -> host model=np_asarray
array_equal(a1, a2, equal_nan) -> bool swallows
array_equiv(a1, a2) -> bool swallows
asarray(a, dtype, order) -> host model=np_asarray
astype(x, dtype) -> host
atleast_1d atleast_2d atleast_3d(*arys) -> host
average(a, axis, weights, returned) -> host
bartlett blackman hamming hanning(M) -> host
bincount(x, weights, minlength) -> host
block(arrays) -> host
broadcast_arrays ix_(*args) -> host tuple
broadcast_to(array, shape, subok) -> host
choose(a, choices, out, mode) -> host
clip(a, a_min, a_max, out) -> host
column_stack dstack hstack vstack(tup) -> host model=concatenate
compress(condition, a, axis, out) -> host
concat concatenate stack(arrays, axis, out) -> host model=concatenate
convolve correlate(a, v, mode) -> host
copy(a, order, subok) -> host model=np_asarray
corrcoef(x, y, rowvar) -> host
count_nonzero expand_dims(a, axis) -> host
cov(m, y, rowvar, bias, ddof, fweights, aweights) -> host
cross(a, b, axisa, axisb, axisc, axis) -> host
cumulative_prod cumulative_sum i0 iscomplex matrix_transpose sinc unique_values(x) -> host
delete(arr, obj, axis) -> host
diag diagflat(v, k) -> host
diag_indices(n, ndim) -> host tuple
diagonal(a, offset, axis1, axis2) -> host
digitize(x, bins, right) -> host
divmod(x1, x2, out) -> host tuple
dot outer(a, b, out) -> host
dsplit(ary, indices_or_sections) -> host tuple
ediff1d(ary, to_end, to_begin) -> host
einsum einsum_path(subscripts, *operands) -> host
empty ones zeros(shape, dtype, order) -> host shape_from=shape
empty_like(prototype, dtype, order, subok, shape) -> host
extract(condition, arr) -> host
eye(N, M, k, dtype, order) -> host
fill_diagonal(a, val, wrap) -> none writes
fliplr flipud(m) -> host
frexp modf(x, out) -> host tuple
from_dlpack(x) -> host model=np_asarray
frombuffer(buffer, dtype, count, offset) -> host
fromfunction(function, shape) -> host
fromiter(iter, dtype, count) -> host
fromstring(string, dtype, count, sep) -> host
full(shape, fill_value, dtype, order) -> host shape_from=shape
full_like(a, fill_value, dtype, order, subok, shape) -> host
geomspace(start, stop, num, endpoint, dtype, axis) -> host
gradient(f, *varargs) -> host tuple
histogram(a, bins, range, density, weights) -> host tuple
histogram2d(x, y, bins, range, density, weights) -> host tuple
histogram_bin_edges(a, bins, range, weights) -> host
histogramdd(sample, bins, range, density, weights) -> host tuple
identity(n, dtype) -> host
indices(dimensions, dtype, sparse) -> host
inner kron vdot(a, b) -> host
insert(arr, obj, values, axis) -> host
interp(x, xp, fp, left, right, period) -> host
intersect1d(ar1, ar2, assume_unique, return_indices) -> host
isclose(a, b, rtol, atol, equal_nan) -> host
isin(element, test_elements, assume_unique, invert) -> host
kaiser(M, beta) -> host
lexsort(keys, axis) -> host
linspace(start, stop, num, endpoint, retstep, dtype, axis) -> host
logspace(start, stop, num, endpoint, base, dtype, axis) -> host
mask_indices(n, mask_func, k) -> host tuple
median nanmedian(a, axis, out, overwrite_input, keepdims) -> host
meshgrid(*xi) -> host tuple
nan_to_num(x, copy, nan, posinf, neginf) -> host
nanargmax nanargmin(a, axis, out) -> host
nancumprod nancumsum(a, axis, dtype, out) -> host
nanmax nanmin(a, axis, out, keepdims, initial, where) -> host
nanmean(a, axis, dtype, out, keepdims) -> host
nanpercentile nanquantile percentile quantile(a, q, axis, out, overwrite_input, method, keepdims) -> host
nanprod nansum(a, axis, dtype, out, keepdims, initial, where) -> host
nanstd nanvar(a, axis, dtype, out, ddof, keepdims) -> host
nonzero(a) -> host tuple
ones_like zeros_like(a, dtype, order, subok, shape) -> host
packbits(a, axis, bitorder) -> host
pad(array, pad_width, mode) -> host
piecewise(x, condlist, funclist, *args) -> host
place(arr, mask, vals) -> none writes
poly(seq_of_zeros) -> host
polyadd polymul polysub(a1, a2) -> host
polyder(p, m) -> host
polydiv(u, v) -> host tuple
polyfit(x, y, deg, rcond, full, w, cov) -> host
polyint(p, m, k) -> host
polyval(p, x) -> host
ptp(a, axis, out, keepdims) -> host
put(a, ind, v, mode) -> none writes
put_along_axis(arr, indices, values, axis) -> none writes
ravel(a, order) -> host
ravel_multi_index(multi_index, dims, mode, order) -> host
resize(a, new_shape) -> host
roll(a, shift, axis) -> host
roots(p) -> host
rot90(m, k, axes) -> host
searchsorted(a, v, side, sorter) -> host
select(condlist, choicelist, default) -> host
setdiff1d setxor1d(ar1, ar2, assume_unique) -> host
sort(a, axis, kind, order) -> host
take(a, indices, axis, out, mode) -> host
take_along_axis(arr, indices, axis) -> host
tensordot(a, b, axes) -> host
tile(A, reps) -> host
trace(a, offset, axis1, axis2, dtype, out) -> host
trapezoid(y, x, dx, axis) -> host
tri(N, M, k, dtype) -> host
tril triu(m, k) -> host
tril_indices triu_indices(n, k, m) -> host tuple
trim_zeros(filt, trim, axis) -> host
union1d(ar1, ar2) -> host
unique(ar, return_index, return_inverse, return_counts, axis) -> host
unique_all unique_counts unique_inverse(x) -> host tuple
unpackbits(a, axis, count, bitorder) -> host
unravel_index(indices, shape, order) -> host tuple
unwrap(p, discont, axis) -> host
vander(x, N, increasing) -> host
where(condition, x, y) -> host
# --- read their arguments, no counterpart
@ reads=numpy
asanyarray asarray_chkfinite(a, dtype, order) -> host model=np_asarray
ascontiguousarray asfortranarray(a, dtype) -> host model=np_asarray
asmatrix(data, dtype) -> host model=np_asarray
busday_count(begindates, enddates, weekmask, holidays, busdaycal, out) -> host
busday_offset(dates, offsets, roll, weekmask, holidays, busdaycal, out) -> host
copyto(dst, src, casting, where) -> none writes
datetime_as_string(arr, unit, timezone, casting) -> host
fix isnat(x, out) -> host
format_float_positional(x, precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits) -> host
format_float_scientific(x, precision, unique, trim, sign, pad_left, exp_digits, min_digits) -> host
is_busday(dates, weekmask, holidays, busdaycal, out) -> host
may_share_memory shares_memory(a, b, max_work) -> bool
putmask(a, mask, values) -> none writes
real_if_close(a, tol) -> host
require(a, dtype, requirements) -> host model=np_asarray
save(file, arr, allow_pickle) -> none effect=file
savetxt(fname, X, fmt, delimiter, newline, header, footer, comments, encoding) -> none effect=file
savez savez_compressed(file, *args) -> none effect=file
# --- call the array's own method: a tracer comes back as a tracer, a device array is not read
# (`reads_concrete`: only a tracer's own method serves, an array with values is converted)
@ delegates jnp
all any(a, axis, out, keepdims) -> host
amax amin max min(a, axis, out, keepdims, initial, where) -> host
argmax argmin(a, axis, out) -> host
argsort(a, axis, kind, order) -> host reads_concrete
around round(a, decimals, out) -> host
split(ary, indices_or_sections, axis) -> host tuple
array_split(ary, indices_or_sections, axis) -> host tuple model=array_split
cumprod cumsum(a, axis, dtype, out) -> host
diff(a, n, axis, prepend, append) -> host reads_concrete
flip(m, axis) -> host
hsplit vsplit(ary, indices_or_sections) -> host tuple
imag real(val) -> host
isreal(x) -> host
mean(a, axis, dtype, out, keepdims) -> host
moveaxis(a, source, destination) -> host
permute_dims transpose(a, axes) -> host
prod sum(a, axis, dtype, out, keepdims, initial, where) -> host
repeat(a, repeats, axis) -> host
reshape(a, shape, order) -> host
rollaxis(a, axis, start) -> host
squeeze(a, axis) -> host
std var(a, axis, dtype, out, ddof, keepdims) -> host
swapaxes(a, axis1, axis2) -> host
unstack(x) -> host tuple
# --- don't look at values
@
array2string(a, max_line_width, precision, suppress_small, separator, prefix) -> str reads=numpy
array_repr(arr, max_line_width, precision, suppress_small) -> str reads=numpy jnp
array_str(a, max_line_width, precision, suppress_small) -> str reads=numpy jnp
base_repr(number, base, padding) -> str
binary_repr(num, width) -> str
bmat(obj, ldict, gdict) -> host
broadcast_shapes(*args) -> python
can_cast(from_, to, casting) -> bool
common_type(*arrays) -> python
datetime_data(dtype) -> python
diag_indices_from(arr) -> python
fromfile(file, dtype, count, sep, offset) -> host effect=file
frompyfunc(func, nin, nout) -> object
fromregex(file, regexp, dtype, encoding) -> host effect=file
get_include() -> str
get_printoptions geterr geterrcall() -> python
getbufsize() -> int
info(object, maxwidth, output, toplevel) -> none effect=print
iscomplexobj isrealobj(x) -> bool
isdtype(dtype, kind) -> bool
isfortran(a) -> bool
isscalar(element) -> bool
issubdtype(arg1, arg2) -> bool
iterable(y) -> bool
load(file, mmap_mode, allow_pickle, fix_imports, encoding) -> host effect=file
loadtxt(fname, dtype, comments, delimiter, converters, skiprows, usecols, unpack, ndmin, encoding, max_rows)
  -> host effect=file
shape(a) -> python
min_scalar_type(a) -> python reads=numpy
mintypecode(typechars, typeset, default) -> str reads=numpy
ndim(a) -> int
nested_iters(op, axes, flags, op_flags, op_dtypes, order, casting, buffersize) -> object
printoptions(*args) -> object
promote_types(type1, type2) -> python
result_type(*arrays_and_dtypes) -> python
set_printoptions(precision, threshold, edgeitems, linewidth, suppress, nanstr, infstr, formatter, sign, floatmode)
  -> none
setbufsize(size) -> int
seterr(all, divide, over, under, invalid) -> python
seterrcall(func) -> python
show_config(mode) -> none effect=print
show_runtime() -> none effect=print
size(a, axis) -> int
tril_indices_from triu_indices_from(arr, k) -> python
typename(char) -> str
genfromtxt(fname, dtype, comments, delimiter) -> host effect=file
memmap(filename, dtype, mode, offset, shape, order) -> host effect=file
ndindex(*shape) -> python
ndenumerate(arr) -> python reads=numpy
nditer(op, flags) -> python reads=numpy
broadcast(*args) -> python reads=numpy
vectorize(pyfunc, otypes, doc, excluded, cache, signature) -> object model=np_vectorize
errstate(*, all, divide, over, under, invalid) -> object
finfo(dtype) -> python
iinfo(int_type) -> python
dtype(dtype, align, copy) -> python
poly1d(c_or_r) -> object reads=numpy
mgrid ogrid r_ c_ -> object
index_exp s_ -> python
ndarray(shape, dtype, buffer) -> host class
matrix recarray chararray record -> python class
ufunc busdaycalendar flatiter -> python class

row_stack(tup) -> host reads=numpy jnp=jax.numpy.vstack deprecated

# --- removed or renamed in NumPy 2, still written
@ reads=numpy removed=2.0
product cumproduct sometrue alltrue(a, axis) -> host
in1d(ar1, ar2, assume_unique, invert) -> host jnp=jax.numpy.isin
trapz(y, x, dx, axis) -> host jnp=jax.numpy.trapezoid
asfarray(a, dtype) -> host model=np_asarray
round_(a, decimals, out) -> host jnp=jax.numpy.round
msort(a) -> host jnp=jax.numpy.sort
find_common_type(array_types, scalar_types) -> python
float_ complex_ unicode_(x) -> host
Inf Infinity NaN NAN PINF NINF infty -> float
obj2sctype(rep) -> python

# --- scalar types: calling one converts
@ reads=numpy model=np_asarray
half float16(value) -> host dtype=float16
float32 single(value) -> host dtype=float32
float64 double(value) -> host dtype=float64
longdouble float128(value) -> host dtype=longdouble
int8 byte(value) -> host dtype=int8
int16 short(value) -> host dtype=int16
int32 intc(value) -> host dtype=int32
int64 int_ long longlong intp(value) -> host dtype=int64
uint8 ubyte(value) -> host dtype=uint8
uint16 ushort(value) -> host dtype=uint16
uint32 uintc(value) -> host dtype=uint32
uint64 uint ulong ulonglong uintp(value) -> host dtype=uint64
bool bool_(value) -> host dtype=bool
complex64 csingle(real, imag) -> host dtype=complex64
complex128 cdouble(real, imag) -> host dtype=complex128
clongdouble complex256(real, imag) -> host dtype=clongdouble
@
str_ bytes_ datetime64 timedelta64(value) -> host
void(length_or_data, dtype) -> host
object_ -> python
character complexfloating flexible floating generic inexact integer number signedinteger unsignedinteger -> python class

# --- constants
pi -> float value=3.141592653589793
e -> float value=2.718281828459045
euler_gamma -> float value=0.5772156649015329
inf nan -> float
newaxis -> none value=None
True_ -> bool value=True
False_ -> bool value=False
little_endian -> bool value=True
sctypeDict typecodes ScalarType -> python
""",
    "numpy.linalg": """
@ reads=numpy jnp=jax.numpy.linalg.
cholesky det eigvals inv(a) -> host
cond(x, p) -> host
cross matmul outer tensordot vecdot(x1, x2) -> host
diagonal matrix_norm matrix_transpose svdvals trace vector_norm(x) -> host
eig slogdet(a) -> host tuple
eigh(a, UPLO) -> host tuple
eigvalsh(a, UPLO) -> host
lstsq(a, b, rcond) -> host tuple
matrix_power(a, n) -> host
matrix_rank(A, tol, hermitian) -> host
multi_dot(arrays) -> host
norm(x, ord, axis, keepdims) -> host
pinv(a, rcond, hermitian) -> host
qr(a, mode) -> host tuple
solve(a, b) -> host
svd(a, full_matrices, compute_uv, hermitian) -> host tuple
tensorinv(a, ind) -> host
tensorsolve(a, b, axes) -> host
@
LinAlgError(message) -> object exception
""",
    "numpy.fft": """
@ reads=numpy jnp=jax.numpy.fft.
fft hfft ifft ihfft irfft rfft(a, n, axis, norm, out) -> host
fft2 fftn ifft2 ifftn irfft2 irfftn rfft2 rfftn(a, s, axes, norm, out) -> host
fftfreq rfftfreq(n, d, device) -> host
fftshift ifftshift(x, axes) -> host
""",
    "numpy.random": """
@ effect=random
normal(loc!, scale!, size!) -> host shape_from=size
uniform(low!, high!, size!) -> host shape_from=size
randint(low!, high!, size!, dtype) -> host shape_from=size
random_integers(low!, high!, size!) -> host shape_from=size
rand randn(*sizes) -> host
random random_sample ranf sample standard_normal standard_cauchy(size!) -> host shape_from=size
standard_exponential(size!) -> host shape_from=size
standard_gamma(shape!, size!) -> host
standard_t(df, size!) -> host
choice(a, size!, replace, p) -> host shape_from=size
permutation(x) -> host
shuffle(x) -> none writes
bytes(length!) -> bytes
beta(a!, b!, size!) -> host
binomial negative_binomial(n!, p!, size!) -> host
chisquare(df!, size!) -> host
noncentral_chisquare(df!, nonc!, size!) -> host
dirichlet(alpha!, size!) -> host
exponential rayleigh(scale!, size!) -> host
f(dfnum!, dfden!, size!) -> host
noncentral_f(dfnum!, dfden!, nonc!, size!) -> host
gamma(shape!, scale!, size!) -> host
geometric logseries(p!, size!) -> host
gumbel laplace logistic(loc!, scale!, size!) -> host
hypergeometric(ngood!, nbad!, nsample!, size!) -> host
lognormal(mean!, sigma!, size!) -> host
multinomial(n!, pvals!, size!) -> host
multivariate_normal(mean!, cov!, size!) -> host
pareto power weibull zipf(a!, size!) -> host
poisson(lam!, size!) -> host
triangular(left!, mode!, right!, size!) -> host
vonmises(mu!, kappa!, size!) -> host
wald(mean!, scale!, size!) -> host
seed(seed) -> none
get_state(legacy) -> python
set_state(state) -> none

@
default_rng(seed) -> instance of=numpy.random.Generator
RandomState(seed) -> instance
Generator(bit_generator) -> instance
PCG64 PCG64DXSM Philox MT19937 SFC64 SeedSequence(seed) -> object
BitGenerator -> python class
@ effect=random
Generator.normal(loc!, scale!, size!) -> host shape_from=size
Generator.uniform(low!, high!, size!) -> host shape_from=size
Generator.integers(low!, high!, size!, dtype, endpoint) -> host shape_from=size
Generator.random(size!, dtype, out) -> host shape_from=size
Generator.standard_normal Generator.standard_exponential(size!, dtype) -> host shape_from=size
Generator.choice(a, size!, replace, p, axis, shuffle) -> host shape_from=size
Generator.permutation(x, axis) -> host
Generator.permuted(x, *, axis, out) -> host
Generator.shuffle(x, axis) -> none writes
Generator.bytes(length!) -> bytes
Generator.spawn(n_children!) -> python
Generator.beta(a!, b!, size!) -> host
Generator.binomial Generator.negative_binomial(n!, p!, size!) -> host
Generator.dirichlet(alpha!, size!) -> host
Generator.exponential Generator.rayleigh(scale!, size!) -> host
Generator.gamma(shape!, scale!, size!) -> host
Generator.geometric(p!, size!) -> host
Generator.gumbel Generator.laplace Generator.logistic(loc!, scale!, size!) -> host
Generator.lognormal(mean!, sigma!, size!) -> host
Generator.multinomial(n!, pvals!, size!) -> host
Generator.multivariate_normal(mean!, cov!, size!) -> host
Generator.poisson(lam!, size!) -> host
Generator.triangular(left!, mode!, right!, size!) -> host
Generator.vonmises(mu!, kappa!, size!) -> host
RandomState.normal(loc!, scale!, size!) -> host shape_from=size
RandomState.uniform(low!, high!, size!) -> host shape_from=size
RandomState.randint(low!, high!, size!, dtype) -> host shape_from=size
RandomState.rand RandomState.randn(*sizes) -> host
RandomState.random_sample RandomState.random RandomState.standard_normal(size!) -> host shape_from=size
RandomState.choice(a, size!, replace, p) -> host shape_from=size
RandomState.permutation(x) -> host
RandomState.shuffle(x) -> none writes
RandomState.seed(seed) -> none
RandomState.binomial(n!, p!, size!) -> host
RandomState.poisson(lam!, size!) -> host
RandomState.beta(a!, b!, size!) -> host
RandomState.gamma(shape!, scale!, size!) -> host
RandomState.exponential(scale!, size!) -> host
""",
    "numpy.testing": """
@ reads=numpy asserts
assert_allclose(actual, desired, rtol, atol) -> none
assert_array_equal assert_equal(actual, desired) -> none
assert_almost_equal assert_array_almost_equal(actual, desired, decimal) -> none
assert_array_less(x, y) -> none
@
assert_raises(exception_class) -> object
""",
    "numpy.lib.stride_tricks": """
@ reads=numpy
as_strided(x, shape, strides) -> host
sliding_window_view(x, window_shape, axis) -> host
""",
    "numpy.typing": """
NDArray ArrayLike DTypeLike -> python class
""",
    "numpy.ma": """
@ reads=numpy
masked_array(data, mask) -> host
array(data, dtype, copy, order, ...) -> host
masked_where(condition, a, copy) -> host
masked_invalid(a, copy) -> host
""",
    "numpy.polynomial": """
Polynomial Chebyshev Legendre Hermite(coef) -> object reads=numpy
""",
}
