"""Programs on the host: progress bars, trackers, data loaders, files, logging, SciPy."""

TABLES = {
    "tqdm": """
tqdm trange tqdm_notebook(iterable, desc, total, leave, file, ncols) -> object model=progress
tqdm.set_postfix(ordered_dict, refresh) -> none model=progress effect=print reads=print renders
tqdm.set_postfix_str(s, refresh) -> none model=progress effect=print reads=print renders
tqdm.set_description tqdm.set_description_str(desc, refresh) -> none model=progress effect=print reads=print renders
tqdm.write(s, file, end) -> none effect=print reads=print
tqdm.update(n) -> none
tqdm.close tqdm.refresh tqdm.reset tqdm.clear() -> none
""",
    "rich.progress": """
track(sequence, description, total) -> object model=progress
Progress(*columns) -> object
""",
    "wandb": """
init(*) -> instance of=wandb.Run effect=network
log(data, step, commit) -> none model=tracker effect=network reads=print blocks
Run.log(data, step, commit) -> none model=tracker effect=network reads=print blocks
Run.finish finish() -> none effect=network
Run.summary summary config run -> object
Run.watch watch(models) -> none
Run.save save(glob_str) -> none effect=file
Image Video Histogram Table Audio Html(data_or_path) -> object reads=numpy blocks
login alert define_metric log_artifact(*args) -> object effect=network
Artifact(name, type) -> object
""",
    "torch.utils.tensorboard": """
SummaryWriter(log_dir, comment, purge_step) -> instance effect=file
SummaryWriter.add_scalar(tag, scalar_value, global_step, walltime) -> none model=tracker effect=file reads=item blocks
SummaryWriter.add_scalars(main_tag, tag_scalar_dict, global_step, walltime)
  -> none model=tracker effect=file reads=item blocks
SummaryWriter.add_histogram(tag, values, global_step) -> none model=tracker effect=file reads=numpy blocks
SummaryWriter.add_image SummaryWriter.add_images(tag, img_tensor, global_step)
  -> none model=tracker effect=file reads=numpy blocks
SummaryWriter.add_figure(tag, figure, global_step) -> none model=tracker effect=file
SummaryWriter.add_text(tag, text_string, global_step) -> none model=tracker effect=file
SummaryWriter.add_hparams(hparam_dict, metric_dict) -> none model=tracker effect=file
SummaryWriter.flush SummaryWriter.close() -> none effect=file
""",
    "mlflow": """
log_metric(key, value, step) -> none model=tracker effect=network reads=item blocks
log_metrics(metrics, step) -> none model=tracker effect=network reads=item blocks
log_param log_params set_tag log_artifact(key, value) -> none effect=network
start_run(*) -> object effect=network
end_run(status) -> none effect=network
set_experiment(experiment_name) -> object effect=network
autolog() -> none
""",
    "neptune": """
init_run(*) -> object effect=network
""",
    "aim": """
Run(*) -> instance effect=file
Run.track(value, name, step, epoch) -> none model=tracker effect=file reads=item blocks
""",
    "comet_ml": """
Experiment(*) -> instance effect=network
Experiment.log_metric(name, value, step) -> none model=tracker effect=network reads=item blocks
Experiment.log_metrics(dic, prefix, step) -> none model=tracker effect=network reads=item blocks
""",
    "clu.metric_writers": """
create_default_writer(logdir, *) -> instance of=clu.metric_writers.MetricWriter effect=file
MetricWriter.write_scalars(step, scalars) -> none model=tracker effect=file reads=numpy blocks
""",
    "torch": """
no_grad inference_mode() -> object
from_numpy(ndarray) -> object reads=numpy
tensor as_tensor(data) -> object reads=numpy blocks
manual_seed(seed) -> none
Tensor -> python class
jit.script jit.trace compile(obj) -> object model=passthrough_decorator fn=0 fn_name=obj foreign
device(type) -> object
cuda.is_available() -> bool
cuda.synchronize() -> none
""",
    "torch.utils.data": """
DataLoader(dataset, batch_size!, shuffle, sampler, batch_sampler, num_workers, collate_fn, pin_memory, drop_last)
  -> object model=loader drop=drop_last batch=batch_size default_drop=False source=dataset
Dataset IterableDataset Sampler -> python class
TensorDataset(*tensors) -> object model=loader samples
Subset(dataset, indices) -> object
random_split(dataset, lengths, generator) -> object
ConcatDataset(datasets) -> object
RandomSampler SequentialSampler(data_source) -> object
BatchSampler(sampler, batch_size!, drop_last) -> object model=loader drop=drop_last batch=batch_size indices
default_collate(batch) -> object
get_worker_info() -> object
""",
    "tensorflow": """
@ reads=numpy
constant convert_to_tensor(value) -> object
@
data.Dataset -> python class
data.Dataset.from_tensor_slices data.Dataset.from_tensors(tensors) -> object model=loader of=tensorflow.data.Dataset
  reads=numpy
data.Dataset.from_generator(generator) -> object model=loader of=tensorflow.data.Dataset
data.Dataset.range data.Dataset.zip data.Dataset.list_files(*args) -> object model=loader of=tensorflow.data.Dataset
data.TFRecordDataset data.TextLineDataset(filenames) -> object model=loader of=tensorflow.data.Dataset effect=file
@ model=loader of=tensorflow.data.Dataset
data.Dataset.batch(batch_size!, drop_remainder, num_parallel_calls)
  -> object drop=drop_remainder batch=batch_size default_drop=False
data.Dataset.padded_batch(batch_size!, padded_shapes, padding_values, drop_remainder)
  -> object drop=drop_remainder batch=batch_size default_drop=False pads=padded_shapes
data.Dataset.ragged_batch(batch_size!, drop_remainder) -> object drop=drop_remainder batch=batch_size ragged
data.Dataset.bucket_by_sequence_length(element_length_func, bucket_boundaries, bucket_batch_sizes) -> object ragged
data.Dataset.map data.Dataset.filter data.Dataset.interleave data.Dataset.flat_map(map_func)
  -> object keeps host=map_func
data.Dataset.shuffle(buffer_size) -> object keeps
data.Dataset.prefetch data.Dataset.repeat data.Dataset.take data.Dataset.skip data.Dataset.shard(count) -> object keeps
data.Dataset.cache data.Dataset.enumerate data.Dataset.unbatch data.Dataset.with_options() -> object keeps
data.Dataset.as_numpy_iterator() -> object keeps
@
data.AUTOTUNE data.experimental.AUTOTUNE -> int
data.Options() -> object
function(func) -> object model=passthrough_decorator foreign
config.set_visible_devices config.experimental.set_visible_devices(devices, device_type) -> none
random.set_seed(seed) -> none
io.gfile.GFile(name, mode) -> file effect=file
io.gfile.exists io.gfile.makedirs io.gfile.glob(path) -> python effect=file
summary.scalar(name, data, step) -> none model=tracker effect=file reads=numpy blocks
summary.create_file_writer(logdir) -> object effect=file
""",
    "tensorflow_datasets": """
load(name, *, split, batch_size, shuffle_files, as_supervised, with_info) -> object model=loader
  of=tensorflow.data.Dataset batch=batch_size default_drop=False effect=file
as_numpy(dataset) -> object model=loader wraps=dataset keeps
builder(name) -> object effect=file
""",
    "grain": """
DataLoader(*, data_source, sampler, operations) -> object model=loader operations=operations
Batch(batch_size!, drop_remainder) -> object model=loader drop=drop_remainder batch=batch_size default_drop=False
MapDataset.source(source) -> object model=loader of=grain.MapDataset
MapDataset.range(start, stop, step) -> object model=loader of=grain.MapDataset
@ model=loader of=grain.MapDataset
MapDataset.batch IterDataset.batch(batch_size!, *, drop_remainder, batch_fn)
  -> object drop=drop_remainder batch=batch_size default_drop=False
MapDataset.shuffle MapDataset.repeat MapDataset.slice MapDataset.seed MapDataset.map MapDataset.filter(*args)
  -> object keeps
MapDataset.to_iter_dataset IterDataset.map IterDataset.filter IterDataset.mp_prefetch(*args) -> object keeps
@
IndexSampler SequentialSampler(num_records, shard_options) -> object
ReadOptions ShardOptions ShardByJaxProcess NoSharding(*args) -> object
MapTransform FilterTransform RandomMapTransform -> python class
""",
    "datasets": """
load_dataset(path, name, *, split, streaming) -> object model=loader of=datasets.Dataset effect=network
load_from_disk(dataset_path) -> object model=loader of=datasets.Dataset effect=file
Dataset.from_dict(mapping) -> object model=loader of=datasets.Dataset
Dataset.iter(batch_size!, drop_last_batch) -> object model=loader drop=drop_last_batch batch=batch_size
  default_drop=False
Dataset.batch(batch_size!, drop_last_batch) -> object model=loader drop=drop_last_batch batch=batch_size
  default_drop=False
Dataset.map Dataset.filter(function) -> object model=loader of=datasets.Dataset keeps
Dataset.shuffle Dataset.select Dataset.with_format Dataset.train_test_split(*args)
  -> object model=loader of=datasets.Dataset keeps
Dataset.set_format(type) -> none
""",
    "sklearn.datasets": """
load_digits load_iris load_breast_cancer load_wine load_diabetes(*) -> object host
make_classification make_regression make_moons make_blobs make_circles(n_samples) -> host tuple
fetch_openml fetch_california_housing(*) -> object host effect=network
""",
    "sklearn.model_selection": """
train_test_split(*arrays) -> host tuple reads=numpy
KFold StratifiedKFold(n_splits!) -> object
""",
    "scipy": """
@ reads=numpy
optimize.minimize(fun, x0, args, method) -> object host callback=fun blocks
optimize.root optimize.least_squares(fun, x0) -> object host callback=fun blocks
optimize.curve_fit(f, xdata, ydata, p0, ...) -> object host callback=fun blocks
optimize.linear_sum_assignment(cost_matrix) -> host tuple
optimize.minimize_scalar(fun) -> object host callback=fun blocks
optimize.brentq optimize.bisect(f, a, b, args, ...) -> object host callback=fun blocks
optimize.fsolve(func, x0, args, fprime, ...) -> object host callback=fun blocks
integrate.solve_ivp(fun, t_span, y0) -> object host callback=fun blocks
integrate.quad(func, a, b) -> host tuple callback=func blocks
integrate.odeint(func, y0, t) -> host callback=func blocks
integrate.trapezoid(y, x, dx, axis) -> host jnp=jax.scipy.integrate.trapezoid
interpolate.interp1d(x, y, kind) -> object
linalg.cholesky linalg.inv linalg.det linalg.svd linalg.qr linalg.lu linalg.eigh(a) -> host jnp=jax.scipy.
linalg.expm(A) -> host jnp=jax.scipy.
linalg.solve linalg.solve_triangular(a, b) -> host jnp=jax.scipy.
linalg.cho_solve(c_and_lower, b, overwrite_b, check_finite) -> host jnp=jax.scipy.
linalg.cho_factor linalg.lu_factor linalg.schur linalg.hessenberg(a) -> host jnp=jax.scipy.
linalg.sqrtm(A, disp, blocksize) -> host jnp=jax.scipy.
linalg.toeplitz(c, r) -> host jnp=jax.scipy.
linalg.block_diag(*arrs) -> host jnp=jax.scipy.linalg.block_diag
linalg.eig linalg.eigvals linalg.lstsq linalg.norm linalg.pinv(a) -> host
special.beta special.betaln special.xlogy special.xlog1py special.rel_entr special.kl_div(x1, x2, out)
  -> host jnp=jax.scipy.
special.digamma special.entr special.erf special.erfc special.erfinv special.exp1 special.expi(x)
  -> host jnp=jax.scipy.
special.expit special.gamma special.gammaln special.i0 special.i0e special.i1 special.i1e(x)
  -> host jnp=jax.scipy.
special.log_ndtr special.log_softmax special.logit special.ndtr special.ndtri special.softmax(x)
  -> host jnp=jax.scipy.
special.logsumexp(a, axis, b, keepdims, return_sign) -> host jnp=jax.scipy.special.logsumexp
special.polygamma(n, x) -> host jnp=jax.scipy.
special.factorial(n, exact, extend) -> host jnp=jax.scipy.
special.comb(N, k) -> host jnp=jax.scipy.
special.poch(x1, x2, out) -> host jnp=jax.scipy.
special.zeta(x, q, out) -> host jnp=jax.scipy.
stats.norm.pdf stats.norm.logpdf stats.norm.cdf stats.norm.logcdf stats.norm.sf(x) -> host jnp=jax.scipy.
stats.norm.ppf(q) -> host jnp=jax.scipy.
stats.norm.rvs stats.uniform.rvs(loc, scale, size) -> host effect=random
stats.multivariate_normal.pdf stats.multivariate_normal.logpdf(x, mean, cov) -> host jnp=jax.scipy.
stats.pearsonr stats.linregress(x, y) -> object host
stats.spearmanr(a, b, axis, nan_policy, ...) -> object host
stats.ttest_ind(a, b) -> object host
stats.kstest(rvs, cdf, args, N, ...) -> object host
stats.rankdata stats.zscore stats.mode stats.skew stats.kurtosis(a) -> host
stats.entropy(pk, qk, base, axis) -> host
signal.convolve signal.correlate signal.fftconvolve signal.convolve2d(in1, in2, mode) -> host jnp=jax.scipy.
ndimage.map_coordinates(input, coordinates) -> host jnp=jax.scipy.ndimage.map_coordinates
ndimage.gaussian_filter(input, sigma) -> host
ndimage.zoom(input, zoom, output, order, ...) -> host
ndimage.rotate(input, angle, axes, reshape, ...) -> host
fft.fft fft.ifft fft.rfft fft.irfft(x) -> host jnp=jax.numpy.
spatial.distance.cdist(XA, XB) -> host
spatial.distance.pdist(X, metric) -> host
sparse.csr_matrix sparse.coo_matrix sparse.csc_matrix(arg1) -> object
io.loadmat(file_name) -> object effect=file
io.savemat(file_name, mdict) -> none effect=file blocks
""",
    "absl.logging": """
@ effect=logging model=log reads=print
info warning warn error fatal debug exception(msg, *args) -> none
log(level, msg, *args) -> none
log_first_n(level, msg, n, *args) -> none
log_every_n(level, msg, n, *args) -> none
@
set_verbosity(v) -> none
INFO WARNING ERROR DEBUG -> int
""",
    "absl.app": """
run(main) -> none
""",
    "absl.flags": """
FLAGS -> object
DEFINE_string DEFINE_integer DEFINE_float DEFINE_bool DEFINE_boolean DEFINE_list(name, default, help) -> object
DEFINE_enum(name, default, enum_values, help, ...) -> object
""",
    "loguru": """
logger -> instance of=loguru.Logger
@ effect=logging model=log reads=print
Logger.debug Logger.info Logger.warning Logger.error Logger.critical(message, *args) -> none
Logger.exception Logger.success Logger.trace(message, *args) -> none
Logger.log(level, message, *args) -> none
""",
    "logging": """
@ effect=logging model=log reads=print
debug info warning warn error critical exception fatal(msg, *args) -> none
log(level, msg, *args) -> none
Logger.debug Logger.info Logger.warning Logger.warn Logger.error Logger.critical(msg, *args) -> none
Logger.exception Logger.fatal(msg, *args) -> none
Logger.log(level, msg, *args) -> none
@
getLogger(name) -> instance of=logging.Logger
Logger(name) -> instance
Logger.setLevel(level) -> none
Logger.addHandler(hdlr) -> none
Logger.isEnabledFor(level) -> bool
Logger.getChild(suffix) -> instance of=logging.Logger
basicConfig(**kwargs) -> none
StreamHandler FileHandler Formatter Handler NullHandler(...) -> object
DEBUG -> int value=10
INFO -> int value=20
WARNING -> int value=30
ERROR -> int value=40
CRITICAL -> int value=50
disable(level) -> none
captureWarnings(capture) -> none
""",
    "warnings": """
warn(message, category, stacklevel) -> none effect=logging reads=print
filterwarnings simplefilter(action) -> none
catch_warnings(*) -> object
""",
    "os": """
@ effect=file
listdir scandir(path) -> unknown model=reads_files
mkdir remove rmdir stat unlink chdir(path) -> unknown
makedirs(name, mode, exist_ok) -> unknown
rename replace(src, dst) -> unknown model=reads_files
walk(top, topdown, onerror, followlinks) -> unknown
path.exists path.isfile(path) -> python
path.isdir(s) -> python
path.getsize path.getmtime(filename) -> python
system(command) -> int
popen(cmd) -> file
@ effect=random
urandom(size) -> bytes
@
getcwd() -> str model=path_text
fspath(path) -> str model=path_text
getenv(key, default) -> str
environ -> python
environ.get environ.pop(key, default) -> str
environ.setdefault(key, value) -> str model=environ
environ.update(*) -> none model=environ
putenv(name, value) -> none model=environ
getpid cpu_count() -> int
path.join(a) -> str model=path_join
path.abspath path.expanduser path.normpath(path) -> str model=path_text
path.basename path.dirname path.splitext(p) -> str
path.realpath(filename) -> str model=path_text
sep linesep -> str
""",
    "sys": """
exit(status) -> none
argv path modules version_info -> python
stdout stderr stdin -> file
stdout.write stderr.write(text) -> int effect=print reads=print
stdout.flush stderr.flush() -> none effect=print
getsizeof getrefcount(object) -> int
platform version executable -> str
maxsize -> int value=9223372036854775807
float_info -> python
""",
    "io": """
StringIO BytesIO(initial_value) -> object
open(file, mode) -> file effect=file
""",
    "json": """
dumps(obj, *) -> str reads=item
dump(obj, fp, *) -> none effect=file reads=item
loads(s) -> python
load(fp) -> python effect=file
""",
    "pickle": """
dumps(obj, protocol) -> bytes reads=numpy blocks
dump(obj, file, protocol) -> none effect=file reads=numpy blocks
loads(data) -> unknown
load(file) -> unknown effect=file
HIGHEST_PROTOCOL -> int
""",
    "csv": """
reader(csvfile) -> object effect=file
DictReader(f, fieldnames, restkey, restval, ...) -> object effect=file
writer(csvfile) -> instance of=csv.Writer effect=file
DictWriter(f, fieldnames, restval, extrasaction, ...) -> instance of=csv.Writer effect=file
Writer.writerow Writer.writerows(row) -> none effect=file reads=print blocks
""",
    "pathlib": """
Path PurePath PosixPath(*pathsegments) -> instance model=path
Path.cwd Path.home() -> instance model=path
@ effect=file
Path.exists Path.is_file Path.is_dir() -> bool
Path.mkdir Path.unlink Path.rmdir Path.touch() -> none
Path.read_text() -> str
Path.read_bytes() -> bytes
Path.write_text Path.write_bytes(data) -> int
Path.open(mode) -> file
Path.glob Path.rglob Path.iterdir(pattern) -> python
Path.resolve Path.absolute Path.expanduser() -> instance model=path
@
Path.joinpath Path.relative_to(*other) -> instance model=path
Path.with_suffix Path.with_name Path.as_posix(...) -> instance model=path
Path.name Path.stem Path.suffix -> str
Path.parent -> instance of=pathlib.Path
""",
    "shutil": """
@ effect=file
copy copyfile copytree move(src, dst) -> unknown model=reads_files
rmtree(path, ignore_errors, onerror) -> unknown
""",
    "tempfile": """
@ effect=file model=path_text
mkdtemp(suffix, prefix, dir) -> str
mktemp(suffix, prefix, dir) -> str
gettempdir() -> str
""",
    "etils.epath": """
Path(*pathsegments) -> instance model=path
""",
    "subprocess": """
@ effect=file
run check_output check_call call(*popenargs) -> object
Popen(args) -> object
""",
    "threading": """
Lock RLock Event(*args) -> object
Thread Condition Timer(...) -> object
""",
    "queue": """
Queue SimpleQueue(maxsize) -> object
""",
    "concurrent.futures": """
ThreadPoolExecutor ProcessPoolExecutor(max_workers) -> object
""",
    "multiprocessing": """
Process Pool Queue(...) -> object
cpu_count() -> int
""",
    "gc": """
collect(generation) -> int
""",
    "string": """
ascii_letters ascii_lowercase ascii_uppercase digits punctuation printable whitespace -> str
Template(template) -> object
""",
    "re": """
match search fullmatch findall finditer split(pattern, string) -> python
compile(pattern, flags) -> python
sub subn(pattern, repl, string, count, ...) -> python
""",
    "hashlib": """
md5 sha1 sha256 sha512(string) -> object
""",
    "struct": """
pack(format, *values) -> bytes
unpack(format, buffer) -> python
""",
    "inspect": """
signature currentframe(obj) -> python
getsource isclass isfunction(object) -> python
getmembers(object, predicate) -> python
getmodule(object, _filename) -> python
""",
    "argparse": """
ArgumentParser(*) -> instance
ArgumentParser.add_argument(*name_or_flags) -> object
ArgumentParser.parse_args(args) -> object host
Namespace(**kwargs) -> object host
""",
    "requests": """
@ effect=network
get post put(url) -> object
""",
    "urllib.request": """
@ effect=network
urlopen urlretrieve(url) -> object
""",
    "matplotlib.pyplot": """
@ reads=numpy blocks effect=file
plot scatter hist imshow bar errorbar fill_between contour contourf(*args) -> object
@ effect=file
show savefig figure subplots subplot title xlabel ylabel legend close tight_layout(*args) -> object
""",
    "pandas": """
@ reads=numpy
DataFrame Series(data) -> object host
@ effect=file
read_csv read_parquet(path) -> object host
""",
}
