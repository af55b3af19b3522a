"""jax.nn and its initialisers, jax.scipy."""

TABLES = {
    "jax.nn": """
celu elu(x, alpha) -> like float
gelu(x, approximate!) -> like float
glu(x, axis!) -> array
hard_sigmoid hard_silu hard_swish log1mexp log_sigmoid mish relu6 selu soft_sign softplus(x) -> like float
sparse_plus sparse_sigmoid(x) -> like float
hard_tanh identity relu(x) -> like
sigmoid silu swish(x) -> like
leaky_relu(x, negative_slope) -> like float
squareplus(x, b) -> like float
softmax log_softmax(x, axis!, where) -> like float
standardize(x, axis!, mean, variance, epsilon, where) -> like float
normalize(x, axis!, mean, variance, epsilon, where) -> like float removed=0.4.36
logsumexp(a, axis!, b, keepdims!, return_sign!, where) -> reduce float
logmeanexp(x, axis!, where, keepdims!) -> reduce float
one_hot(x, num_classes#, *, dtype, axis!) -> array
dot_product_attention(query, key, value, bias, mask, *, scale, is_causal!, query_seq_lengths, key_value_seq_lengths,
  local_window_size!, implementation, return_residual!) -> like attention
scaled_dot_general(lhs, rhs, dimension_numbers, preferred_element_type, configs, implementation) -> array
scaled_matmul(lhs, rhs, lhs_scales, rhs_scales, preferred_element_type) -> array
get_scaled_dot_general_config(mode, global_scale) -> python
""",
    "jax.nn.initializers": """
ones zeros(key, shape#, dtype, out_sharding) -> array constant
Initializer(key, shape#, dtype, out_sharding) -> array model=random_draw consumes=key
@ calls=jax.nn.initializers.Initializer nodispatch
constant(value, dtype) -> object
normal(stddev, dtype) -> object
uniform(scale, dtype) -> object
truncated_normal(stddev, dtype, lower, upper) -> object
orthogonal delta_orthogonal(scale, column_axis, dtype) -> object
glorot_normal glorot_uniform he_normal he_uniform kaiming_normal kaiming_uniform lecun_normal(in_axis, out_axis,
  batch_axis, dtype) -> object
lecun_uniform xavier_normal xavier_uniform(in_axis, out_axis, batch_axis, dtype) -> object
variance_scaling(scale, mode, distribution, in_axis, out_axis, batch_axis, dtype) -> object
""",
    "jax.scipy.special": """
betaln beta(a, b) -> broadcast float
betainc(a, b, x) -> broadcast float
bernoulli(n#) -> array
bessel_jn(z, *, v#, n_iter!) -> array
boxcox boxcox1p(x, lmbda) -> broadcast float
comb(N, k) -> broadcast float
dawsn digamma entr erf erfc erfcx erfinv exp1 expi expit gamma gammaln gammasgn i0 i0e i1 i1e loggamma(x) -> like float
logit spence(x) -> like float
expn(n, x) -> broadcast float
factorial(n, exact!) -> like float
fresnel sici(x) -> arrays count=2
gammainc gammaincc(a, x) -> broadcast float
hyp1f1(a, b, x) -> broadcast float
hyp2f1(a, b, c, x) -> broadcast float
kl_div rel_entr(p, q) -> broadcast float
log_ndtr(x, series_order!) -> like
lpmn lpmn_values(m, n, z) -> arrays deprecated
multigammaln(a, d!) -> like float
ndtr(x) -> like
ndtri(p) -> like
owens_t(h, a) -> broadcast float
poch(z, m) -> broadcast float
polygamma(n, x) -> broadcast float
sph_harm(m, n, theta, phi, n_max!) -> array removed=0.8
sph_harm_y(n, m, theta, phi, diff_n, n_max!) -> array
wofz(z) -> array
xlogy xlog1py(x, y) -> broadcast float
zeta(x, q) -> broadcast float
""",
    "jax.scipy.linalg": """
block_diag(*arrs) -> array
cho_factor(a, lower!, overwrite_a!, check_finite!) -> arrays count=2
cho_solve(c_and_lower, b, overwrite_b!, check_finite!) -> array like=1
cholesky(a, lower!, overwrite_a!, check_finite!) -> like float
circulant(c) -> array
companion fiedler fiedler_companion(a) -> array
convolution_matrix(a, n#, mode) -> array
det(a, overwrite_a!, check_finite!) -> array
dft(n#, scale) -> array
eigh(a, b, lower!, eigvals_only!) -> arrays
eigh_tridiagonal(d, e, *) -> array
expm(A, *) -> like float
expm_frechet(A, E, *) -> arrays count=2
funm(A, func, disp!) -> array
hadamard(n#, dtype) -> array
hankel toeplitz(c, r) -> array
helmert(n#, full!) -> array
hessenberg(a, *) -> array
hilbert invhilbert(n#) -> array
pascal invpascal(n#, kind) -> array
inv(a, overwrite_a!, check_finite!) -> like float
leslie(f, s) -> array
lu(a, permute_l!, overwrite_a!, check_finite!) -> arrays
lu_factor(a, overwrite_a!, check_finite!) -> arrays count=2
lu_solve(lu_and_piv, b, trans!, overwrite_b!, check_finite!) -> array like=1
polar(a, side, *) -> arrays count=2
qr(a, overwrite_a!, lwork, mode, pivoting!, check_finite!) -> arrays
qr_multiply(a, c, mode, pivoting!, conjugate!) -> arrays
rsf2csf(T, Z, check_finite!) -> arrays count=2
schur(a, output) -> arrays count=2
solve(a, b, lower!, overwrite_a!, overwrite_b!, debug!, check_finite!, assume_a) -> array like=1
solve_sylvester(A, B, C, *) -> array like=2
solve_triangular(a, b, trans!, lower!, unit_diagonal!, overwrite_b!, debug!, check_finite!) -> array like=1
sqrtm(A, blocksize!) -> array
svd(a, full_matrices!, compute_uv!, overwrite_a!, check_finite!, lapack_driver) -> arrays count=3
""",
    "jax.scipy.signal": """
convolve correlate(in1, in2, mode, method, precision) -> array
convolve2d correlate2d(in1, in2, mode, boundary, fillvalue, precision) -> array
fftconvolve(in1, in2, mode, axes!) -> array
detrend(data, axis!, type, bp, overwrite_data!) -> like float
stft(x, fs, window, nperseg#, noverlap#, nfft#) -> arrays count=3
istft(Zxx, fs, window, nperseg#, noverlap#, nfft#) -> arrays count=2
welch(x, fs, window, nperseg#, noverlap#, nfft#) -> arrays count=2
csd(x, y, fs, window, nperseg#, noverlap#, nfft#) -> arrays count=2
""",
    "jax.scipy.ndimage": """
map_coordinates(input, coordinates, order!, mode, cval) -> array
""",
    "jax.scipy.fft": """
dct idct(x, type!, n#, axis!, norm) -> array
dctn idctn(x, type!, s#, axes!, norm) -> array
""",
    "jax.scipy.integrate": """
trapezoid(y, x, dx, axis!) -> array
""",
    "jax.scipy.interpolate": """
RegularGridInterpolator(points, values, method, bounds_error!, fill_value) -> object calls=jax.numpy.interp
""",
    "jax.scipy.optimize": """
minimize(fun, x0, args, *, method, tol, options) -> tree model=staged functions=fun
OptimizeResults(x) -> tree
""",
    "jax.scipy.sparse.linalg": """
bicgstab cg gmres(A, b, x0, *) -> arrays count=2 model=staged functions=A
""",
    "jax.scipy.stats": """
mode(a, axis!, nan_policy, keepdims!) -> tree
rankdata(a, method, *, axis!) -> array
sem(a, axis!, ddof!, nan_policy, *, keepdims!) -> array
gaussian_kde(dataset, bw_method, weights) -> object
norm.pdf norm.logpdf norm.cdf norm.logcdf norm.sf norm.logsf(x, loc, scale) -> broadcast float
norm.ppf norm.isf(q, loc, scale) -> broadcast float
laplace.pdf laplace.logpdf laplace.cdf uniform.pdf uniform.logpdf uniform.cdf(x, loc, scale) -> broadcast float
logistic.pdf logistic.logpdf logistic.cdf logistic.sf logistic.ppf logistic.isf(x, loc, scale) -> broadcast float
cauchy.pdf cauchy.logpdf cauchy.cdf cauchy.logcdf cauchy.sf cauchy.logsf(x, loc, scale) -> broadcast float
expon.pdf expon.logpdf expon.cdf expon.logcdf expon.sf expon.logsf(x, loc, scale) -> broadcast float
gumbel_l.pdf gumbel_l.logpdf gumbel_l.cdf gumbel_l.logcdf gumbel_l.sf gumbel_l.logsf(x, loc, scale) -> broadcast float
gumbel_r.pdf gumbel_r.logpdf gumbel_r.cdf gumbel_r.logcdf gumbel_r.sf gumbel_r.logsf(x, loc, scale) -> broadcast float
gumbel_l.ppf gumbel_r.ppf(p, loc, scale) -> broadcast float
cauchy.ppf cauchy.isf expon.ppf uniform.ppf(q, loc, scale) -> broadcast float
beta.pdf beta.logpdf beta.cdf beta.logcdf beta.sf beta.logsf(x, a, b, loc, scale) -> broadcast float
truncnorm.pdf truncnorm.logpdf truncnorm.cdf truncnorm.logcdf truncnorm.sf truncnorm.logsf(x, a, b, loc, scale)
  -> broadcast float
gamma.pdf gamma.logpdf gamma.cdf gamma.logcdf gamma.sf gamma.logsf(x, a, loc, scale) -> broadcast float
chi2.pdf chi2.logpdf chi2.cdf chi2.logcdf chi2.sf chi2.logsf t.pdf t.logpdf(x, df, loc, scale) -> broadcast float
pareto.pdf pareto.logpdf pareto.cdf pareto.logcdf pareto.sf pareto.logsf(x, b, loc, scale) -> broadcast float
pareto.ppf(q, b, loc, scale) -> broadcast float
bernoulli.pmf bernoulli.logpmf geom.pmf geom.logpmf(k, p, loc) -> broadcast float
bernoulli.cdf(k, p) -> broadcast float
bernoulli.ppf(q, p) -> broadcast float
binom.pmf binom.logpmf nbinom.pmf nbinom.logpmf(k, n, p, loc) -> broadcast float
betabinom.pmf betabinom.logpmf(k, n, a, b, loc) -> broadcast float
poisson.pmf poisson.logpmf poisson.cdf(k, mu, loc) -> broadcast float
poisson.entropy(mu, loc) -> broadcast float
gennorm.pdf gennorm.logpdf gennorm.cdf(x, beta) -> broadcast float
vonmises.pdf vonmises.logpdf(x, kappa) -> broadcast float
wrapcauchy.pdf wrapcauchy.logpdf(x, c) -> broadcast float
dirichlet.pdf dirichlet.logpdf(x, alpha) -> array
multinomial.pmf multinomial.logpmf(x, n, p) -> array
multivariate_normal.pdf(x, mean, cov) -> array
multivariate_normal.logpdf(x, mean, cov, allow_singular!) -> array
""",
    "jax.scipy.cluster.vq": """
vq(obs, code_book, check_finite!) -> arrays count=2
""",
    "jax.scipy.spatial.transform": """
Rotation Slerp -> object
""",
}
