"""optax. An optimiser is made once and is static (`model=optimizer`); what it makes is a GradientTransformation.

Schedules: a constant one gives a Python float, every other one a device array (measured), even for a Python step.
"""

TABLES = {
    "optax": """
GradientTransformation GradientTransformationExtraArgs(init, update) -> instance model=optimizer
GradientTransformation.init(params) -> tree
GradientTransformation.update(updates, state, params) -> arrays count=2 model=optimizer update
GradientTransformationExtraArgs.init(params) -> tree
GradientTransformationExtraArgs.update(updates, state, params) -> arrays count=2 model=optimizer update
apply_updates(params, updates) -> same model=apply_updates
incremental_update(new_tensors, old_tensors, step_size) -> same
periodic_update(new_tensors, old_tensors, steps, update_period) -> same
global_norm(updates) -> array shape=()
safe_norm(x, min_norm, ord!, axis!, keepdims!) -> array
safe_root_mean_squares(x, min_rms) -> array
safe_increment(count) -> like
per_example_global_norm_clip(grads, l2_norm_clip) -> arrays count=2
per_example_layer_norm_clip(grads, global_l2_norm_clip, uniform) -> arrays count=2
scale_gradient(inputs, scale) -> same
init_empty_state(params) -> python
value_and_grad_from_state(value_fn) -> object model=value_and_grad fn=0 fn_name=value_fn value=True family=jax
  from_state
microbatch(fun, argnums!, microbatch_size!, accumulator, *) -> object model=vmap fn=0 fn_name=fun traces
matrix_inverse_pth_root(matrix, p, num_iters!) -> arrays count=2
power_iteration(matrix, *) -> arrays count=2
nnls(A, b, iters!, unroll!, L) -> array
multi_normal(loc, log_scale) -> object
inject_hyperparams(inner_factory, static_args, hyperparam_dtype) -> object model=inject_hyperparams

@ model=optimizer of=optax.GradientTransformation nodispatch
adam nadam(learning_rate, b1, b2, eps, eps_root, mu_dtype, *) -> instance
adamw nadamw(learning_rate, b1, b2, eps, eps_root, mu_dtype, weight_decay, mask, *) -> instance
adabelief(learning_rate, b1, b2, eps, eps_root, *) -> instance
adadelta(learning_rate, rho, eps, weight_decay, weight_decay_mask) -> instance
adafactor(learning_rate, min_dim_size_to_factor!, decay_rate, decay_offset) -> instance
adagrad(learning_rate, initial_accumulator_value, eps) -> instance
adamax(learning_rate, b1, b2, eps) -> instance
adamaxw(learning_rate, b1, b2, eps, weight_decay, mask) -> instance
adan(learning_rate, b1, b2, b3, eps, eps_root, weight_decay, mask) -> instance
amsgrad(learning_rate, b1, b2, eps, eps_root, mu_dtype) -> instance
dpsgd(learning_rate, l2_norm_clip, noise_multiplier, seed) -> instance
fromage(learning_rate, min_norm) -> instance
lamb(learning_rate, b1, b2, eps, eps_root, weight_decay, mask) -> instance
lars(learning_rate, weight_decay, weight_decay_mask, trust_coefficient) -> instance
lbfgs(learning_rate, memory_size!, scale_init_precond!, linesearch) -> instance
lion(learning_rate, b1, b2, mu_dtype, weight_decay, mask) -> instance
noisy_sgd(learning_rate, eta, gamma, key) -> instance
novograd(learning_rate, b1, b2, eps, eps_root, weight_decay) -> instance
optimistic_gradient_descent optimistic_adam_v2(learning_rate) -> instance
polyak_sgd(max_learning_rate, scaling, f_min, eps, variant) -> instance
radam(learning_rate, b1, b2, eps, eps_root, threshold, *) -> instance
rmsprop(learning_rate, decay, eps, initial_scale) -> instance
rprop(learning_rate, eta_minus, eta_plus, min_step_size, max_step_size) -> instance
sgd(learning_rate, momentum, nesterov!, accumulator_dtype) -> instance
sign_sgd(learning_rate) -> instance
signum(learning_rate, beta) -> instance
sm3(learning_rate, momentum) -> instance
yogi(learning_rate, b1, b2, eps) -> instance
chain named_chain(*args) -> instance
identity set_to_zero zero_nans keep_params_nonnegative centralize scale_by_sign() -> instance
adaptive_grad_clip(clipping, eps, axis) -> instance
add_decayed_weights(weight_decay, mask) -> instance
add_noise(eta, gamma, key) -> instance
apply_every(k!) -> instance
apply_if_finite(inner, max_consecutive_errors!) -> instance
clip(max_delta) -> instance
clip_by_block_rms(threshold) -> instance
clip_by_global_norm(max_norm) -> instance
conditionally_mask conditionally_transform(inner, should_transform_fn, forward_extra_args) -> instance
differentially_private_aggregate(l2_norm_clip, noise_multiplier, key) -> instance
ema(decay, debias!, accumulator_dtype) -> instance
flatten(inner) -> instance
freeze(mask) -> instance
lookahead(fast_optimizer, sync_period!, slow_step_size, reset_state!) -> instance
masked(inner, mask, *) -> instance
measure_with_ema(measure, decay, debias!) -> object
monitor(measures) -> instance
partition(transforms, param_labels, *) -> instance
maybe_update(inner, should_update_fn, max_consecutive_errors) -> instance removed=0.2
scale(step_size) -> instance
scale_by_adadelta(rho, eps) -> instance
scale_by_adam(b1, b2, eps, eps_root, mu_dtype, *) -> instance
scale_by_adamax scale_by_sm3(b1, b2, eps) -> instance
scale_by_adan(b1, b2, b3, eps, eps_root) -> instance
scale_by_amsgrad(b1, b2, eps, eps_root, mu_dtype) -> instance
scale_by_backtracking_linesearch(max_backtracking_steps!, slope_rtol, decrease_factor) -> instance
scale_by_belief(b1, b2, eps, eps_root, *) -> instance
scale_by_factored_rms(factored!, decay_rate, step_offset, min_dim_size_to_factor!) -> instance
scale_by_lbfgs(memory_size!, scale_init_precond!) -> instance
scale_by_learning_rate(learning_rate, *) -> instance
scale_by_lion(b1, b2, mu_dtype, *) -> instance
scale_by_novograd(b1, b2, eps, eps_root, weight_decay, mu_dtype) -> instance
scale_by_optimistic_gradient(alpha, beta) -> instance
scale_by_param_block_norm scale_by_param_block_rms(min_scale) -> instance
scale_by_polyak(f_min, max_learning_rate, eps, variant) -> instance
scale_by_radam(b1, b2, eps, eps_root, threshold, *) -> instance
scale_by_rms scale_by_stddev(decay, eps, initial_scale, eps_in_sqrt, bias_correction) -> instance
scale_by_rprop(learning_rate, eta_minus, eta_plus, min_step_size, max_step_size) -> instance
scale_by_rss(initial_accumulator_value, eps) -> instance
scale_by_schedule(step_size_fn) -> instance
scale_by_trust_ratio(min_norm, trust_coefficient, eps) -> instance
scale_by_yogi(b1, b2, eps, eps_root, initial_accumulator_value) -> instance
scale_by_zoom_linesearch(max_linesearch_steps!, max_learning_rate, tol) -> instance
stateless stateless_with_tree_map(f) -> instance
trace(decay, nesterov!, accumulator_dtype) -> instance
with_extra_args_support(tx) -> instance
additive_weight_decay(weight_decay, mask) -> instance removed=0.1
MultiSteps(opt, every_k_schedule, use_grad_mean!, should_skip_update_fn) -> instance
@
MultiSteps.init(params) -> tree
MultiSteps.update(updates, state, params) -> arrays count=2 model=optimizer update
MultiSteps.gradient_transformation() -> instance of=optax.GradientTransformation
MultiSteps.has_updated(state) -> array dtype=bool
skip_large_updates skip_not_finite(updates, gradient_step, params) -> arrays count=2

# --- schedules
Schedule(count) -> array
ConstantSchedule(count) -> float
constant_schedule(value) -> object model=schedule calls=optax.ConstantSchedule
@ model=schedule calls=optax.Schedule nodispatch
cosine_decay_schedule(init_value, decay_steps!, alpha, exponent) -> object
cosine_onecycle_schedule(transition_steps!, peak_value, pct_start, div_factor, final_div_factor) -> object
exponential_decay(init_value, transition_steps!, decay_rate, transition_begin!, staircase!, end_value) -> object
join_schedules(schedules, boundaries!) -> object
linear_onecycle_schedule(transition_steps!, peak_value, pct_start, pct_final) -> object
linear_schedule(init_value, end_value, transition_steps!, transition_begin!) -> object
piecewise_constant_schedule(init_value, boundaries_and_scales) -> object
piecewise_interpolate_schedule(interpolate_type, init_value, boundaries_and_scales) -> object
polynomial_schedule(init_value, end_value, power, transition_steps!, transition_begin!) -> object
sgdr_schedule(cosine_kwargs) -> object
warmup_constant_schedule(init_value, peak_value, warmup_steps!) -> object
warmup_cosine_decay_schedule(init_value, peak_value, warmup_steps!, decay_steps!, end_value, exponent) -> object
warmup_exponential_decay_schedule(init_value, peak_value, warmup_steps!, transition_steps!, decay_rate) -> object
@

# --- losses
convex_kl_divergence generalized_kl_divergence kl_divergence(log_predictions, targets, axis!, where) -> array
kl_divergence_with_log_targets(log_predictions, log_targets, axis!, where) -> array
cosine_distance cosine_similarity(predictions, targets, *, epsilon, axis!, where) -> array
ctc_loss(logits, logit_paddings, labels, label_paddings, *) -> array
ctc_loss_with_forward_probs(logits, logit_paddings, labels, label_paddings, *) -> arrays count=3
hinge_loss(predictor_outputs, targets) -> broadcast
perceptron_loss(predictor_outputs, targets) -> broadcast
huber_loss(predictions, targets, *) -> broadcast float
l2_loss squared_error log_cosh(predictions, targets) -> broadcast float
ntxent(embeddings, labels, temperature) -> array
triplet_margin_loss(anchors, positives, negatives, axis!) -> array
sigmoid_binary_cross_entropy(logits, labels) -> broadcast float
sigmoid_focal_loss(logits, labels, *) -> broadcast float
smooth_labels(labels, alpha, *) -> like float
softmax_cross_entropy softmax_cross_entropy_with_integer_labels(logits, labels, axis!, where) -> array
safe_softmax_cross_entropy(logits, labels) -> array
poly_loss_cross_entropy(logits, labels, *) -> array
multiclass_hinge_loss multiclass_perceptron_loss(scores, labels) -> array
multiclass_sparsemax_loss(scores, labels) -> array
sparsemax_loss(logits, labels) -> array
ranking_softmax_loss(logits, labels, *) -> array
dice_loss binary_dice_loss multiclass_generalized_dice_loss(predictions, targets, *) -> array
make_fenchel_young_loss(max_fun) -> object calls=optax.softmax_cross_entropy

# --- states and types
AdaptiveGradClipState AddDecayedWeightsState(*args) -> tree state
AddNoiseState ApplyEvery ApplyIfFiniteState(...) -> tree state
ClipByGlobalNormState ClipState EmptyState(*args) -> tree state
ConditionallyMaskState ConditionallyTransformState EmaState(...) -> tree state
DifferentiallyPrivateAggregateState FactoredState InjectHyperparamsState LookaheadParams LookaheadState(...)
  -> tree state
NonNegativeParamsState(*args) -> tree state
MaskedState MonitorState MultiStepsState MultiTransformState PartitionState(...) -> tree state
ScaleByAdaDeltaState ScaleByAdamState ScaleByAdanState ScaleByAmsgradState ScaleByBeliefState(...) -> tree state
ScaleByBacktrackingLinesearchState ScaleByLBFGSState ScaleByLionState ScaleByNovogradState(...) -> tree state
ScaleByRStdDevState ScaleByRmsState ScaleByRpropState ScaleByRssState ScaleBySM3State ScaleByScheduleState(...)
  -> tree state
ScaleByTrustRatioState ScaleState(*args) -> tree state
ScaleByZoomLinesearchState TraceState ZeroNansState(...) -> tree state
ZoomLinesearchInfo(...) -> tree state
MaskOrFn OptState Params Updates ScalarOrSchedule ShouldSkipUpdateFunction -> python class
TransformInitFn TransformUpdateExtraArgsFn TransformUpdateFn -> python class
InjectHyperparamsState.hyperparams -> tree
ScaleByAdamState.count -> array
""",
    "optax.contrib": """
@ model=optimizer of=optax.GradientTransformation nodispatch
acprop adopt ademamix simplified_ademamix madgrad(learning_rate) -> instance
cocob dadapt_adamw dog dowg galore momo momo_adam muon prodigy sophia(learning_rate) -> instance
reduce_on_plateau(factor, patience!, rtol, atol, cooldown!, accumulation_size!) -> instance
sam(optimizer, adv_optimizer, sync_period!, reset_state!, opaque_mode!, batch_axis_name) -> instance
schedule_free(base_optimizer, learning_rate, b1, weight_lr_power, state_dtype) -> instance
schedule_free_adamw schedule_free_sgd(learning_rate, warmup_steps!) -> instance
mechanize(base_optimizer, weight_decay, eps, s_init, num_betas!) -> instance
split_real_and_imaginary(inner) -> instance
normalize() -> instance
dpsgd(learning_rate) -> instance
differentially_private_aggregate(l2_norm_clip, noise_multiplier, key) -> instance
scale_by_adopt scale_by_ademamix scale_by_acprop(b1) -> instance
scale_by_muon(ns_coeffs, ns_steps, beta, eps, ...) -> instance
scale_by_cocob(alpha, eps) -> instance
scale_by_galore(rank, update_proj_gap, scale, base_optimizer, ...) -> instance
scale_by_simplified_ademamix(b1) -> instance
scale_by_madgrad(learning_rate, momentum, eps) -> instance
hutchinson_estimator_diag_hessian(random_seed) -> instance
@
schedule_free_eval_params(state, params) -> same like=1
COCOBState DAdaptAdamWState DifferentiallyPrivateAggregateState DoGState DoWGState GaLoreState(...) -> tree state
HutchinsonState MadgradState MechanicState MomoAdamState MomoState MuonState NormalizeState(...) -> tree state
ProdigyState ReduceLROnPlateauState SAMState ScaleByAdemamixState ScheduleFreeState(...) -> tree state
ScaleBySimplifiedAdEMAMixState SophiaState SplitRealAndImaginaryState(...) -> tree state
MuonDimensionNumbers GaLoreDimensionNumbers(...) -> python
""",
    "optax.tree": """
add(tree_x, tree_y, *other_trees) -> same
sub mul div(tree_x, tree_y) -> same
scale(scalar, tree) -> same like=1
add_scale(tree_x, scalar, tree_y) -> same
sum max min(tree) -> array shape=()
norm(tree, ord!, squared!) -> array shape=()
vdot(tree_x, tree_y) -> array shape=()
size(tree) -> int nodispatch
dtype(tree, mixed_dtype_handler) -> python nodispatch
zeros_like ones_like(tree, dtype) -> same model=zeros_like tree
full_like(tree, fill_value, dtype) -> same model=zeros_like tree fill=fill_value
cast(tree, dtype) -> same
cast_like(tree, other_tree) -> same
clip(tree, min_value, max_value) -> same
conj real(tree) -> same
where(condition, tree_x, tree_y) -> same like=1
allclose(a, b, rtol, atol, equal_nan!) -> array dtype=bool shape=()
get(tree, key, default, filtering) -> array
get_all_with_path(tree, key, filtering) -> tree
set(tree, filtering) -> same
map_params(initable, f, state, *rest) -> same like=2
random_like(rng_key, target_tree, sampler, dtype) -> same like=1 model=random_draw
split_key_like(rng_key, target_tree) -> tree model=split_like
unwrap_random_key_data(input_tree) -> same
batch_shape(tree, shape#) -> tree
bias_correction(moment, decay, count) -> same
update_moment update_moment_per_elem_norm(updates, moments, decay, order!) -> same
update_infinity_moment(updates, moments, decay, eps) -> same
""",
    "optax.schedules": """
StatefulSchedule(*args) -> object
WrappedSchedule(...) -> object
inject_stateful_hyperparams(inner_factory, static_args, hyperparam_dtype) -> object model=inject_hyperparams
""",
    "optax.projections": """
projection_box projection_hypercube projection_non_negative projection_simplex projection_l1_ball(tree) -> same
projection_l1_sphere projection_l2_ball projection_l2_sphere projection_linf_ball(tree, scale) -> same
projection_halfspace projection_hyperplane projection_vector(x, a) -> array
""",
    "optax.second_order": """
hvp(loss, v, params, inputs, targets) -> array model=staged functions=loss
hessian_diag(loss, params, inputs, targets) -> array model=staged functions=loss
fisher_diag(negative_log_likelihood, params, inputs, targets) -> array model=staged functions=negative_log_likelihood
""",
    "optax.assignment": """
hungarian_algorithm base_hungarian_algorithm(cost_matrix) -> arrays count=2
""",
    "optax.perturbations": """
make_perturbed_fun(fun, num_samples!, sigma, noise, use_baseline!) -> object model=vmap fn=0 fn_name=fun traces
Gumbel Normal() -> object
""",
    "optax.transforms": """
selective_transform(optimizer, *, freeze_mask) -> instance model=optimizer of=optax.GradientTransformation
snapshot(measure_name, measure) -> instance model=optimizer of=optax.GradientTransformation
SnapshotState(measurement) -> tree
""",
}
