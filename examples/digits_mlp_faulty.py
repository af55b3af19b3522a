"""Train an MLP on scikit-learn's handwritten digits with Flax NNX and Optax."""

from __future__ import annotations

import argparse
import functools
import time
from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class MLP(nnx.Module):
    """Two hidden layers with layer normalisation."""

    def __init__(self, width: int, *, rngs: nnx.Rngs) -> None:
        self.hidden1 = nnx.Linear(64, width, rngs=rngs)
        self.norm1 = nnx.LayerNorm(width, rngs=rngs)
        self.hidden2 = nnx.Linear(width, width, rngs=rngs)
        self.norm2 = nnx.LayerNorm(width, rngs=rngs)
        self.head = nnx.Linear(width, 10, rngs=rngs)

    def __call__(self, images: jax.Array) -> jax.Array:
        x = nnx.gelu(self.norm1(self.hidden1(images)))
        x = nnx.gelu(self.norm2(self.hidden2(x)))
        return self.head(x)


def load_data() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Training and test images in [0, 1], flattened, with their labels."""
    digits = load_digits()
    images = (digits.data / 16.0).astype(np.float32)
    labels = digits.target.astype(np.int32)
    train_images, test_images, train_labels, test_labels = train_test_split(
        images, labels, test_size=0.2, random_state=0, stratify=labels
    )
    return train_images, train_labels, test_images, test_labels


def batches(
    images: np.ndarray, labels: np.ndarray, batch_size: int, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """One epoch in a new order."""
    order = rng.permutation(len(images))
    images, labels = images[order], labels[order]
    for start in range(0, len(images), batch_size):
        yield images[start : start + batch_size], labels[start : start + batch_size]


def loss_fn(model: MLP, images: jax.Array, labels: jax.Array) -> tuple[jax.Array, jax.Array]:
    logits = model(images)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    return loss, logits


@functools.partial(nnx.jit, static_argnames="clip")
def train_step(
    model: MLP, optimizer: nnx.Optimizer, images: jax.Array, labels: jax.Array, clip: float
) -> tuple[jax.Array, jax.Array]:
    (loss, logits), grads = nnx.value_and_grad(loss_fn, has_aux=True)(model, images, labels)
    if clip > 0:
        norm = optax.global_norm(grads)
        if norm > clip:
            grads = jax.tree.map(lambda g: g * (clip / norm), grads)
    optimizer.update(model, grads)
    accuracy = jnp.mean(jnp.argmax(logits, axis=-1) == labels)
    return loss, accuracy


@nnx.jit
def predict(model: MLP, images: jax.Array) -> jax.Array:
    return jnp.argmax(model(images), axis=-1)


def train(model: MLP, images: np.ndarray, labels: np.ndarray, *, epochs: int, batch_size: int, clip: float) -> None:
    steps = epochs * -(-len(images) // batch_size)
    schedule = optax.cosine_decay_schedule(3e-3, steps)
    optimizer = nnx.Optimizer(model, optax.adamw(schedule, weight_decay=1e-3), wrt=nnx.Param)
    rng = np.random.default_rng(0)
    for epoch in range(epochs):
        total_loss = 0.0
        accuracies = []
        for step, (batch_images, batch_labels) in enumerate(batches(images, labels, batch_size, rng)):
            loss, accuracy = train_step(model, optimizer, batch_images, batch_labels, clip=clip)
            total_loss += float(loss)
            accuracies.append(accuracy.item())
            print(f"epoch {epoch}, step {step}: loss {loss:.4f}", end="\r")
        print(f"epoch {epoch}: loss {total_loss / len(accuracies):.4f}, accuracy {np.mean(accuracies):.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--clip", type=float, default=0.0, help="largest norm of the gradient (0 = any)")
    args = parser.parse_args()

    train_images, train_labels, test_images, test_labels = load_data()
    model = MLP(args.width, rngs=nnx.Rngs(0))
    train(model, train_images, train_labels, epochs=args.epochs, batch_size=args.batch_size, clip=args.clip)

    start = time.perf_counter()
    predictions = predict(model, test_images)
    elapsed = time.perf_counter() - start
    print(f"inference: {len(test_images) / elapsed:,.0f} images/s")
    print(f"test accuracy: {np.mean(np.asarray(predictions) == test_labels):.4f}")


if __name__ == "__main__":
    main()
