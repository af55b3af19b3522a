"""jax.random: keys are consumed by every draw and by `split`; `fold_in` and `clone` derive."""

TABLES = {
    "jax.random": """
key(seed, *, impl) -> key model=random_key
PRNGKey(seed, *, impl) -> key model=random_key legacy
wrap_key_data(key_bits_array, *, impl) -> key model=random_key wraps
split(key, num#) -> keys model=random_split
fold_in(key, data) -> key model=random_fold_in
clone(key) -> key model=random_fold_in clone
key_data(keys) -> array
key_impl(keys) -> python nodispatch
key_dtype(impl_spec) -> python nodispatch
@ model=random_draw consumes=key
normal(key, shape#, dtype, *, out_sharding) -> array
uniform(key, shape#, dtype, minval, maxval, *, out_sharding) -> array
truncated_normal(key, lower, upper, shape#, dtype, *, out_sharding) -> array
randint(key, shape#, minval, maxval, dtype, *, out_sharding) -> array dtype=int32
bernoulli(key, p, shape#, mode, *, out_sharding) -> array dtype=bool
bits(key, shape#, dtype, *, out_sharding) -> array
ball(key, d#, p, shape#, dtype) -> array
beta(key, a, b, shape#, dtype) -> array
binomial(key, n, p, shape#, dtype) -> array
categorical(key, logits, axis!, shape#, replace!, mode) -> array dtype=int32
cauchy(key, shape#, dtype) -> array
chisquare(key, df, shape#, dtype) -> array
choice(key, a, shape#, replace!, p, axis!, mode) -> array
dirichlet(key, alpha, shape#, dtype) -> array
double_sided_maxwell(key, loc, scale, shape#, dtype) -> array
exponential(key, shape#, dtype) -> array
f(key, dfnum, dfden, shape#, dtype) -> array
gamma loggamma(key, a, shape#, dtype) -> array
generalized_normal(key, p, shape#, dtype) -> array
geometric(key, p, shape#, dtype) -> array dtype=int32
gumbel(key, shape#, dtype, mode) -> array
laplace(key, shape#, dtype) -> array
logistic(key, shape#, dtype) -> array
lognormal(key, sigma, shape#, dtype) -> array
maxwell(key, shape#, dtype) -> array
multinomial(key, n, p, *, shape#, dtype) -> array
multivariate_normal(key, mean, cov, shape#, dtype, method) -> array
orthogonal(key, n#, shape#, dtype, m#) -> array
pareto(key, b, shape#, dtype) -> array
permutation(key, x, axis!, independent!, *, out_sharding) -> array like=1
shuffle(key, x, axis!) -> array like=1 removed=0.5
poisson(key, lam, shape#, dtype) -> array dtype=int32
rademacher(key, shape#, dtype) -> array
rayleigh(key, scale, shape#, dtype) -> array
t(key, df, shape#, dtype) -> array
triangular(key, left, mode, right, shape#, dtype) -> array
wald(key, mean, shape#, dtype) -> array
weibull_min(key, scale, concentration, shape#, dtype) -> array
""",
}
