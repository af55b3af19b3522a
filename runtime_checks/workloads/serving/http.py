"""A server for one classifier, and its client: rows of pixels in as float32 bytes, digits out as JSON."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np

from runtime_checks.workloads.data import Digits, Floats

Classify = Callable[[Floats], list[int]]


@contextmanager
def serving(classify: Classify) -> Iterator[int]:
    """Answer POST requests with `classify` on a free port of localhost, which is yielded."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # without this, Nagle's algorithm and delayed acknowledgements add 40 ms to each answer
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            answer = json.dumps(classify(np.frombuffer(body, np.float32).reshape(-1, 64))).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def ask(port: int, digits: Digits, requests: int) -> tuple[float, list[float]]:
    """Send requests of 1 to 8 rows; the share of right answers, and the milliseconds of each request."""
    random = np.random.default_rng(5)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    right, asked, times = 0, 0, []
    for _ in range(requests):
        rows = random.integers(0, len(digits.test_x), size=random.integers(1, 9))
        begin = time.perf_counter()
        connection.request("POST", "/", digits.test_x[rows].tobytes())
        answer = json.loads(connection.getresponse().read())
        times.append((time.perf_counter() - begin) * 1e3)
        right += sum(int(a == b) for a, b in zip(answer, digits.test_y[rows].tolist(), strict=True))
        asked += len(rows)
    connection.close()
    return right / asked, times
