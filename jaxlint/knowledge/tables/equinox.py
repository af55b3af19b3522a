"""equinox and the solvers built on it (diffrax, optimistix, lineax).

`filter_jit` waits for the device in every call (measured with equinox 0.13.8: 1.2 s against 0.1 ms for `jax.jit`), so
its line says `blocks`: the call of the compiled function waits. The same holds for `diffeqsolve`, which jits itself.
"""

TABLES = {
    "equinox": """
# --- transforms: everything that is no array is static (`family=filter`)
filter_jit(fun, *, donate)
  -> object model=jit fn=0 fn_name=fun donate=donate family=filter decorator_factory blocks
filter_pmap(fun, *, in_axes, out_axes, axis_name, axis_size!, donate)
  -> object model=pmap fn=0 fn_name=fun in_axes=in_axes family=filter decorator_factory
filter_vmap(fun, *, in_axes, out_axes, axis_name, axis_size!)
  -> object model=vmap fn=0 fn_name=fun in_axes=in_axes family=filter decorator_factory
filter_grad(fun, *, has_aux!) -> object model=grad fn=0 fn_name=fun value=False family=filter decorator_factory
filter_value_and_grad(fun, *, has_aux!)
  -> object model=value_and_grad fn=0 fn_name=fun value=True family=filter decorator_factory
filter_hessian filter_jacfwd filter_jacrev(fun, has_aux!)
  -> object model=autodiff fn=0 fn_name=fun mode=function family=filter
filter_jvp(fn, primals, tangents) -> arrays model=autodiff fn=0 fn_name=fn mode=jvp args=primals family=filter
filter_vjp(fun, *primals) -> object model=autodiff fn=0 fn_name=fun mode=vjp family=filter
filter_custom_jvp(fn) -> object model=custom_derivative fn=0 fn_name=fn kind=jvp family=filter
filter_custom_vjp(fn) -> object model=custom_derivative fn=0 fn_name=fn kind=vjp family=filter
filter_checkpoint(fun, *, prevent_cse, policy) -> object model=checkpoint fn=0 fn_name=fun family=filter
  decorator_factory
filter_eval_shape(fun, *args) -> python model=eval_shape fn=0 fn_name=fun family=filter
filter_make_jaxpr(fun) -> object model=make_jaxpr fn=0 fn_name=fun family=filter
filter_closure_convert(fn, *args) -> object model=make_jaxpr fn=0 fn_name=fn mode=closure_convert family=filter
filter_pure_callback(callback, *args, result_shape_dtypes)
  -> tree model=callback fn=0 fn_name=callback result=result_shape_dtypes
Partial(func, *args) -> object model=partial

# --- trees
filter(pytree, filter_spec, inverse, replace, is_leaf) -> same model=eqx_filter
partition(pytree, filter_spec, replace, is_leaf) -> arrays count=2 model=eqx_partition
combine(*pytrees) -> same model=eqx_combine
tree_at(where, pytree, replace, replace_fn, is_leaf) -> same like=1 model=eqx_tree_at
tree_equal(*pytrees) -> unknown reads=item blocks accepts_tracers
tree_inference(pytree, value!) -> same
tree_check(pytree) -> none
tree_flatten_one_level(pytree) -> arrays count=2
tree_pformat(pytree, *) -> str reads=print short
tree_pprint(pytree, *) -> none effect=print reads=print short
tree_serialise_leaves(path_or_file, pytree, filter_spec, is_leaf) -> none effect=file reads=numpy blocks
tree_deserialise_leaves(path_or_file, like, filter_spec, is_leaf) -> same like=1 effect=file
default_serialise_filter_spec default_deserialise_filter_spec(f, x) -> same like=1
apply_updates(model, updates) -> same model=apply_updates
filter_shard(x, device_or_shardings) -> same
is_array is_array_like is_inexact_array is_inexact_array_like(element) -> bool nodispatch
error_if(x, pred, msg, *) -> same accepts_tracers
branched_error_if(x, pred, index, msgs, *) -> same accepts_tracers
clear_caches() -> none
module_update_wrapper(wrapper, wrapped) -> same

# --- modules
Module() -> instance model=eqx_module base
field(*, converter, static) -> unknown model=dataclass_field static_marker=static
static_field() -> unknown model=dataclass_field static
AbstractVar AbstractClassVar -> python class
Enumeration StrictConfig -> python class
if_array(axis) -> object
EquinoxRuntimeError EquinoxTracetimeError(message) -> object exception
""",
    "equinox.debug": """
@ accepts_tracers
assert_max_traces(fn) -> object model=passthrough_decorator decorator_factory
announce_transform(x, name) -> same
backward_nan(x, name) -> same
breakpoint_if(pred) -> same
store_dce(x, name) -> same
inspect_dce(name) -> same
""",
    "equinox.nn": """
@ model=eqx_module call=array consumes=key
Linear(in_features!, out_features!, use_bias!, dtype, *, key)
  -> instance variables=weight,bias last=out_features fan_in=in_features
MLP(in_size!, out_size!, width_size!, depth!, activation, final_activation, use_bias!, use_final_bias!, dtype, *, key)
  -> instance
Conv(num_spatial_dims!, in_channels!, out_channels!, kernel_size!, stride!, padding!, *, key)
  -> instance variables=weight,bias
Conv1d Conv2d Conv3d(in_channels!, out_channels!, kernel_size!, stride!, padding!, dilation!, groups!, *, key)
  -> instance variables=weight,bias
ConvTranspose(num_spatial_dims!, in_channels!, out_channels!, kernel_size!, stride!, padding!, output_padding!, *, key)
  -> instance variables=weight,bias
ConvTranspose1d ConvTranspose2d ConvTranspose3d(in_channels!, out_channels!, kernel_size!, stride!, *, key)
  -> instance variables=weight,bias
Embedding(num_embeddings!, embedding_size!, weight, dtype, *, key) -> instance variables=weight
LayerNorm RMSNorm(shape!, eps, use_weight!, use_bias!, dtype) -> instance variables=weight,bias
GroupNorm(groups!, channels!, eps, channelwise_affine!, dtype) -> instance variables=weight,bias
Dropout(p, inference!, *) -> instance draws=key
PReLU(init_alpha) -> instance variables=negative_slope
Identity(*args) -> instance
Lambda(fn) -> instance
Sequential(layers) -> instance layers=layers
MultiheadAttention(num_heads!, query_size!, key_size!, value_size!, output_size!, *, key) -> instance attention
RotaryPositionalEmbedding(embedding_size!, theta, dtype) -> instance
AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d(kernel_size!, stride!, padding!, use_ceil!) -> instance
AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d(target_shape!) -> instance
AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d(target_shape!) -> instance
Pool(init, operation, num_spatial_dims!, kernel_size!, stride!, padding!) -> instance
AdaptivePool(target_shape!, num_spatial_dims!, operation) -> instance
WeightNorm(layer, weight_name, axis!) -> instance
@ model=eqx_module call=tree consumes=key
BatchNorm(input_size!, axis_name, eps, channelwise_affine!, momentum, inference!, dtype, mode) -> instance stateful
SpectralNorm(layer, weight_name, num_power_iterations!, eps, inference!, *, key) -> instance stateful
LSTMCell GRUCell(input_size!, hidden_size!, use_bias!, dtype, *, key) -> instance
Shared(pytree, where, get) -> instance
StatefulLayer() -> instance base
@
State(model) -> instance
State.get(item) -> array
State.set(item, value) -> same
StateIndex(init) -> instance
inference_mode(pytree, value!) -> same
make_with_state(make_model) -> object model=passthrough_decorator fn=0 fn_name=make_model returns_pair
delete_init_state(model) -> same
""",
    "equinox.internal": """
error_if(x, pred, msg, *) -> same accepts_tracers
branched_error_if(x, pred, index, msgs, *) -> same accepts_tracers
while_loop(cond_fun, body_fun, init_val, *, max_steps!) -> tree model=while_loop family=filter
scan(f, init, xs, length!, *, kind) -> tree model=scan family=filter
unvmap_all unvmap_any unvmap_max(x) -> array
nondifferentiable nondifferentiable_backward nontraceable nonbatchable(x, *) -> same
noinline(fn, abstract_fn) -> object model=passthrough_decorator fn=0 fn_name=fn
left_broadcast_to(arr, shape#) -> array
nextafter prevbefore(x) -> like
GetKey(seed) -> object
announce_transform(x, name) -> same
hashable_partition(pytree, filter_fn) -> arrays count=2
hashable_combine(dynamic_leaves, static) -> same
""",
    "diffrax": """
diffeqsolve(terms, solver, t0, t1, dt0, y0, args, *, max_steps!) -> instance model=staged functions=terms blocks
  of=diffrax.Solution
Solution.ts Solution.t0 Solution.t1 -> array
Solution.ys -> tree
Solution.stats Solution.result -> tree
Solution.evaluate(t0, t1, left) -> array
Solution.derivative(t, left) -> array
Solution(t0, t1, ts, ys, interpolation, stats, result) -> instance
ODETerm(vector_field) -> object wraps=vector_field
ControlTerm WeaklyDiagonalControlTerm(vector_field, control) -> object wraps=vector_field
MultiTerm(*terms) -> object
SaveAt(*, t0, t1, ts, steps, fn, subs, dense) -> object
PIDController(rtol, atol, norm, pcoeff, icoeff, dcoeff, dtmin, dtmax) -> object
ConstantStepSize() -> object
StepTo(ts) -> object
Event(cond_fn, root_finder, direction) -> object
SteadyStateEvent(rtol, atol, norm) -> object
VirtualBrownianTree(t0, t1, tol, shape, key, levy_area) -> object
VirtualBrownianTree.evaluate(t0, t1) -> array
UnsafeBrownianPath(shape, key, levy_area) -> object
Euler Heun Midpoint Ralston Bosh3 Tsit5 Dopri5 Dopri8 SemiImplicitEuler ReversibleHeun(scan_kind) -> object
LeapfrogMidpoint EulerHeun ItoMilstein StratonovichMilstein SEA SRA1 ShARK SPaRK GeneralShARK SlowRK() -> object
ImplicitEuler(root_finder) -> object
Kvaerno3 Kvaerno4 Kvaerno5 KenCarp3 KenCarp4 KenCarp5 Sil3(scan_kind, root_finder, root_find_max_steps) -> object
HalfSolver(solver) -> object
DirectAdjoint BacksolveAdjoint ForwardMode(*args) -> object
ImplicitAdjoint RecursiveCheckpointAdjoint(...) -> object
LinearInterpolation(ts, ys) -> instance
CubicInterpolation(ts, coeffs) -> instance
LinearInterpolation.evaluate CubicInterpolation.evaluate(t0, t1, left) -> array
linear_interpolation(ts, ys, *) -> array
backward_hermite_coefficients(ts, ys, *) -> arrays
rectilinear_interpolation(ts, ys) -> arrays
NoProgressMeter(*args) -> object
TqdmProgressMeter TextProgressMeter(...) -> object
is_okay is_successful is_event(result) -> array dtype=bool
RESULTS -> python
""",
    "optimistix": """
@ model=staged functions=fn blocks
least_squares minimise root_find fixed_point(fn, solver, y0, args, options, *, has_aux!, max_steps!, throw!)
  -> instance of=optimistix.Solution
@
Solution.value Solution.aux Solution.stats Solution.state Solution.result -> tree
BFGS DFP(rtol, atol, norm, use_inverse!) -> object
LBFGS NelderMead GoldenSearch GaussNewton LevenbergMarquardt Dogleg Newton Chord Bisection(rtol, atol) -> object
IndirectLevenbergMarquardt NonlinearCG FixedPointIteration(rtol, atol) -> object
GradientDescent(learning_rate, rtol, atol, norm) -> object
OptaxMinimiser(optim, rtol, atol, norm) -> object
BestSoFarMinimiser BestSoFarLeastSquares BestSoFarRootFinder BestSoFarFixedPoint(solver) -> object
max_norm rms_norm two_norm(x) -> array shape=()
RESULTS -> python
""",
    "lineax": """
linear_solve(operator, vector, solver, *, options, state, throw!) -> instance of=lineax.Solution blocks
Solution.value Solution.stats Solution.state Solution.result -> tree
invert(operator, solver, *) -> object
MatrixLinearOperator(matrix, tags) -> object
DiagonalLinearOperator(diagonal) -> object
FunctionLinearOperator(fn, input_structure, tags) -> object
JacobianLinearOperator(fn, x, args, tags) -> object
TaggedLinearOperator(operator, tags) -> object
PyTreeLinearOperator(pytree, output_structure, tags) -> object
IdentityLinearOperator(input_structure, output_structure) -> object
TridiagonalLinearOperator(diagonal, lower_diagonal, upper_diagonal) -> object
LU QR Cholesky Triangular Tridiagonal NormalCG(*args) -> object
SVD Diagonal AutoLinearSolver CG GMRES BiCGStab LSMR Normal(...) -> object
is_symmetric is_diagonal is_positive_semidefinite is_negative_semidefinite is_tridiagonal(operator) -> bool nodispatch
is_lower_triangular is_upper_triangular has_unit_diagonal(operator) -> bool nodispatch
diagonal tridiagonal(operator) -> array
materialise linearise conj(operator) -> object
symmetric_tag diagonal_tag positive_semidefinite_tag negative_semidefinite_tag tridiagonal_tag -> object
lower_triangular_tag upper_triangular_tag unit_diagonal_tag -> object
RESULTS -> python
""",
}
