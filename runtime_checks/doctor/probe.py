"""The part of doctor that touches JAX, run as a child process: `python probe.py`.

It prints one line for each thing it learns, `@jaxlint-doctor {json}`, as soon as it knows it. So the parent knows how
far it came when it hangs, is killed by a signal, or is aborted by XLA. It imports nothing of this package: what it
reports must be what the user's own program would see.
"""

import importlib
import json
import os
import sys
import time
import traceback

MARK = "@jaxlint-doctor "


def emit(**facts: object) -> None:
    """Print some facts, at once."""
    sys.stdout.write("\n" + MARK + json.dumps(facts, default=str) + "\n")
    sys.stdout.flush()


def last_line(error: BaseException) -> str:
    """An exception as `Type: message`, as a traceback ends."""
    return "".join(traceback.format_exception_only(type(error), error)).strip()


def describe_device(device: object) -> dict[str, object]:
    """One device: platform, kind, index, compute capability (GPU), memory limit and use in bytes (where told)."""
    fact: dict[str, object] = {
        "platform": getattr(device, "platform", "?"),
        "kind": getattr(device, "device_kind", "?"),
        "id": getattr(device, "id", -1),
        "process": getattr(device, "process_index", 0),
        "compute_capability": str(getattr(device, "compute_capability", "") or ""),
    }
    try:
        stats = device.memory_stats() or {}  # type: ignore[attr-defined]
    except Exception:  # a backend may not implement it
        stats = {}
    for name in ("bytes_limit", "bytes_in_use", "peak_bytes_in_use"):
        if name in stats:
            fact[name] = int(stats[name])
    return fact


def cuda_libraries() -> dict[str, int]:
    """Versions of the CUDA libraries that the plugin finds, as the libraries number them; empty without a plugin."""
    for name in ("jax_cuda13_plugin", "jax_cuda12_plugin", "jaxlib.cuda"):
        try:
            versions = importlib.import_module(f"{name}._versions")
        except Exception:
            continue
        found = {}
        for library in ("cuda_runtime", "cuda_driver", "cudnn", "cublas", "cufft", "cusparse", "nccl"):
            for when in ("get", "build"):
                ask = getattr(versions, f"{library}_{when}_version", None)
                if ask is None:
                    continue
                try:
                    found[f"{library}_{when}"] = int(ask())
                except Exception:  # the library can't be loaded: doctor reports what jax says about it
                    continue
        return found
    return {}


def try_attention() -> dict[str, object]:
    """One causal attention in bfloat16 through cuDNN, shapes (B=1, T=128, N=2, H=64)."""
    import jax
    import jax.numpy as jnp

    q = jnp.ones((1, 128, 2, 64), jnp.bfloat16)
    try:
        y = jax.nn.dot_product_attention(q, q, q, is_causal=True, implementation="cudnn")
        return {"ran": bool(jnp.isfinite(y.astype(jnp.float32)).all())}
    except Exception as error:
        return {"ran": False, "error": last_line(error)[:2000]}


def main() -> None:
    # Python put this file's folder first on the path; the user's program would not have it.
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]

    emit(stage="import jax")
    begin = time.perf_counter()
    try:
        import jax
        import jaxlib
    except ModuleNotFoundError as error:
        emit(missing=(error.name or "").split(".")[0], error=last_line(error))
        return
    except BaseException as error:
        emit(import_error=last_line(error)[:2000])
        return
    config = {}
    for name in dir(jax.config):
        if name.startswith("jax_"):
            value = getattr(jax.config, name, None)
            config[name] = value if isinstance(value, (bool, int, float, str, type(None))) else str(value)
    emit(
        jax_version=jax.__version__,
        jaxlib_version=getattr(jaxlib, "__version__", ""),
        jax_file=jax.__file__ or "",
        import_seconds=time.perf_counter() - begin,
        config=config,
    )

    emit(stage="start the backends")
    begin = time.perf_counter()
    try:
        devices = jax.devices()
    except BaseException as error:
        emit(backend_error=last_line(error)[:4000], cuda=cuda_libraries())
        return
    emit(
        backend=jax.default_backend(),
        devices=[describe_device(device) for device in devices],
        processes=jax.process_count(),
        backend_seconds=time.perf_counter() - begin,
        cuda=cuda_libraries(),
    )

    emit(stage="compile and run a matrix product")
    import jax.numpy as jnp

    begin = time.perf_counter()
    try:
        x = jnp.ones((256, 256), jnp.float32)
        # jaxlint: ignore[timed-compile] how long the first computation takes, compiling included, is the question
        total = float(jax.jit(lambda a: (a @ a).sum())(x))
        where = str(next(iter(x.devices())))
        emit(computed=abs(total - 256.0**3) < 1.0, computed_on=where, compute_seconds=time.perf_counter() - begin)
    except BaseException as error:
        emit(compute_error=last_line(error)[:2000])
        return

    if jax.default_backend() in ("gpu", "cuda"):
        emit(stage="run attention through cuDNN")
        emit(attention=try_attention())
    emit(stage="done")


if __name__ == "__main__":
    main()
