"""Score images of digits with a trained classifier: evaluate it on held-out data, then answer requests."""

from __future__ import annotations

import argparse
import functools
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class Params(NamedTuple):
    """Weights of a classifier with one hidden layer."""

    hidden: jax.Array
    hidden_bias: jax.Array
    output: jax.Array
    output_bias: jax.Array


def init(key: jax.Array, width: int) -> Params:
    hidden_key, output_key = jax.random.split(key)
    return Params(
        hidden=jax.random.normal(hidden_key, (64, width)) / 8.0,
        hidden_bias=jnp.zeros(width),
        output=jax.random.normal(output_key, (width, 10)) / jnp.sqrt(width),
        output_bias=jnp.zeros(10),
    )


def forward(params: Params, images: jax.Array) -> jax.Array:
    hidden = jax.nn.relu(images @ params.hidden + params.hidden_bias)
    return hidden @ params.output + params.output_bias


@functools.partial(jax.jit, static_argnames="steps")
def train(params: Params, images: jax.Array, labels: jax.Array, steps: int) -> Params:
    """Full-batch Adam, all steps in one program."""
    tx = optax.adam(1e-2)

    def loss_fn(params: Params) -> jax.Array:
        return optax.softmax_cross_entropy_with_integer_labels(forward(params, images), labels).mean()

    def step(carry: tuple[Params, optax.OptState], _: None) -> tuple[tuple[Params, optax.OptState], None]:
        params, opt_state = carry
        updates, opt_state = tx.update(jax.grad(loss_fn)(params), opt_state)
        return (optax.apply_updates(params, updates), opt_state), None

    (params, _), _ = jax.lax.scan(step, (params, tx.init(params)), length=steps)
    return params


@functools.partial(jax.jit, static_argnames="uncertainty")
def score(params: Params, images: jax.Array, temperature: float, uncertainty: bool) -> tuple[jax.Array, jax.Array]:
    """Probabilities of the ten digits and, if asked for, how unsure the classifier is of each image."""
    probabilities = jax.nn.softmax(forward(params, images) / jnp.maximum(temperature, 1e-3))
    unsure = jnp.zeros(len(images))
    if uncertainty:
        unsure = jnp.sum(jax.scipy.special.entr(probabilities), axis=-1)
    return probabilities, unsure


@jax.jit
def count(confusion: jax.Array, probabilities: jax.Array, labels: jax.Array) -> jax.Array:
    """Add a shard to the confusion matrix. The label -1 marks padding."""
    predicted = jnp.argmax(probabilities, axis=-1)
    return confusion.at[labels, predicted].add(labels >= 0)


def evaluate(
    params: Params, images: np.ndarray, labels: np.ndarray, shards: int, temperature: float, uncertainty: bool
) -> tuple[float, np.ndarray]:
    """Accuracy, and how often each digit (row) was taken for each (column)."""
    padding = -len(images) % shards
    image_shards = np.pad(images, ((0, padding), (0, 0))).reshape(shards, -1, images.shape[1])
    label_shards = np.pad(labels, (0, padding), constant_values=-1).reshape(shards, -1)
    confusion = jnp.zeros((10, 10), dtype=jnp.int32)
    for shard_images, shard_labels in zip(image_shards, label_shards, strict=True):
        probabilities, _ = score(params, shard_images, temperature, uncertainty)
        confusion = count(confusion, probabilities, shard_labels)
    table = np.asarray(confusion)
    return float(np.trace(table)) / len(images), table


def requests(images: np.ndarray, size: int) -> Iterator[np.ndarray]:
    """What clients send: each a few images, all requests of one size."""
    for index in range(len(images) // size):
        yield images[index * size : (index + 1) * size]


class Service:
    """Answers requests of one size, compiled before the first comes, and counts what it answered."""

    def __init__(self, params: Params, size: int) -> None:
        def classify(params: Params, images: jax.Array) -> jax.Array:
            return jnp.argmax(forward(params, images), axis=-1)

        example = jax.ShapeDtypeStruct((size, params.hidden.shape[0]), jnp.float32)
        self.classify = jax.jit(classify).lower(params, example).compile()
        self.params = params
        self.counts: Counter[int] = Counter()

    def answer(self, images: np.ndarray) -> jax.Array:
        return self.classify(self.params, images)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--shards", type=int, default=7)
    parser.add_argument("--requests", type=int, default=20)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--uncertainty", action="store_true", help="also compute the entropy of each answer")
    args = parser.parse_args()

    data = load_digits()
    train_images, test_images, train_labels, test_labels = train_test_split(
        (data.data / 16.0).astype(np.float32), data.target.astype(np.int32), test_size=0.3, random_state=0
    )
    params = train(init(jax.random.key(0), 64), train_images, train_labels, args.steps)
    accuracy, confusion = evaluate(params, test_images, test_labels, args.shards, args.temperature, args.uncertainty)
    wrong = confusion - np.diag(np.diag(confusion))
    digit, taken_for = np.unravel_index(np.argmax(wrong), wrong.shape)
    print(f"most frequent error: {digit} taken for {taken_for}, {wrong.max()} times")

    size = len(test_images) // args.requests
    service = Service(params, size)
    pending = [service.answer(images) for images in requests(test_images, size)]
    answers = np.concatenate(jax.device_get(pending))
    service.counts.update(answers.tolist())
    print(f"answered {len(answers)} images: {dict(sorted(service.counts.items()))}")
    print(f"accuracy: {accuracy:.4f}")


if __name__ == "__main__":
    main()
