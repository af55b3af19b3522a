"""Programs that serve or train: which compiled functions meet their first call inside of a request."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jaxlint.events import Event, Kind
from jaxlint.findings import Confidence
from jaxlint.interpreter.running import main_guard

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.interpreter.values import FunctionV, TransformedV
    from jaxlint.source import Source

# methods that a server calls for each request
METHODS = frozenset({"do_GET", "do_POST", "do_PUT", "handle_request", "on_request", "process_request"})
# methods of classes that are named like servers
NAMED = frozenset({"handle", "predict", "infer", "generate", "score", "embed", "Predict", "Generate", "__call__"})
SERVER = re.compile(r"(Service|Servicer|Server|Handler|Endpoint|Deployment)$")
ROUTES = frozenset({"get", "post", "put", "route", "websocket", "api_route", "function", "endpoint"})
DEVICES = re.compile(
    r"\b(devices|local_devices|device_count|local_device_count|default_backend|get_backend|backend|jax_platforms?"
    r"|JAX_PLATFORMS|platform)\b"
)


def is_handler(function: FunctionV) -> bool:
    """Whether a function answers requests: by its name, its class, or the route that decorates it."""
    node = function.node
    if isinstance(node, ast.Lambda):
        return False
    if function.owner is not None:
        return node.name in METHODS or (node.name in NAMED and SERVER.search(function.owner.name) is not None)
    return any(is_route(decorator) for decorator in node.decorator_list)


def is_route(decorator: ast.expr) -> bool:
    """`@app.post("/score")`: a route of a web framework is a call with a path."""
    if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute) or not decorator.args:
        return False
    first = decorator.args[0]
    is_path = isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value.startswith("/")
    return decorator.func.attr in ROUTES and is_path


def note_call(m: Machine, value: TransformedV, node: ast.AST) -> None:
    """A compiled function is called: in a request, or somewhere else, which warms it up."""
    if m.muted:
        return
    handler = next((f for f in m.frames if f.function is not None and is_handler(f.function)), None)
    if handler is None:
        m.warm.add(id(value.node))
        return
    frame = m.frames[-1]
    m.cold.setdefault(id(value.node), (node, frame.module.source, frame.qualname, handler.qualname))


def note_warm(m: Machine, value: TransformedV) -> None:
    """A compiled function is lowered or compiled ahead of time."""
    m.warm.add(id(value.node))


def settle_serving(m: Machine) -> None:
    """Compiled functions that are only ever called in requests."""
    for key, (node, source, scope, handler) in m.cold.items():
        if key not in m.warm:
            data = {"handler": handler.rpartition(".")[2]}
            m.events.append(
                Event(Kind.COLD_REQUEST, node, source, "request", node, scope, confidence=Confidence.LIKELY, data=data)
            )


def check_script(m: Machine, source: Source) -> None:
    """A script that trains in a loop, and nowhere in its files asks what it runs on."""
    if m.trained is None:
        return
    guard = main_guard(source)
    if guard is None or any(DEVICES.search(module.source.text) for module in m.modules.values()):
        return
    m.events.append(Event(Kind.NO_DEVICE_CHECK, guard, source, "script", guard, data={"work": m.trained}))
