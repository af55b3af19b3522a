"""The data: it ships with packages, nothing is downloaded."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

TEXTS = ("argparse.py", "ast.py", "inspect.py", "textwrap.py", "typing.py")


class Digits(NamedTuple):
    """Images as rows in [0, 1], labels 0 to 9: 1437 to train on, 360 to test."""

    train_x: Floats  # (1437, 64)
    train_y: Ints  # (1437,)
    test_x: Floats  # (360, 64)
    test_y: Ints  # (360,)


def load_digits() -> Digits:
    """scikit-learn's digits, split by a fixed permutation."""
    from sklearn import datasets

    x, y = datasets.load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(x))
    x, y = (x[order] / 16.0).astype(np.float32), y[order].astype(np.int32)
    return Digits(x[:1437], y[:1437], x[1437:], y[1437:])


def load_text() -> tuple[Ints, Ints]:
    """Source text of the standard library as ASCII codes: nine tenths to train on, one to validate."""
    folder = Path(sysconfig.get_path("stdlib"))
    text = "\n".join((folder / name).read_text("utf-8") for name in TEXTS if (folder / name).exists())
    codes = np.frombuffer(text.encode("ascii", "replace"), np.uint8).astype(np.int32)
    cut = len(codes) * 9 // 10
    return codes[:cut], codes[cut:]


def whole_batches(count: int, batch: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Row numbers for ever, shuffled each epoch, each time exactly `batch` of them: shape (batch,)."""
    random = np.random.default_rng(seed)
    while True:
        order = random.permutation(count)
        for start in range(0, count - count % batch, batch):
            yield order[start : start + batch]


def windows(codes: Ints, batch: int, length: int, seed: int) -> Iterator[Ints]:
    """Pieces of the text for ever, at random places: shape (batch, length)."""
    random = np.random.default_rng(seed)
    while True:
        starts = random.integers(0, len(codes) - length, size=batch)
        yield codes[starts[:, None] + np.arange(length)]
