"""Programs put together from parts of the rule tests' programs: no crash, whatever they say."""

from __future__ import annotations

import pytest

from benchmarks import generated


def test_a_program_depends_on_seed_and_number_only() -> None:
    parts = generated.collect()
    one, again, other = (list(generated.texts(parts, 3, seed)) for seed in (1, 1, 2))
    assert one == again != other
    number, text = one[-1]
    assert list(generated.texts(parts, 1, 1, first=number)) == [(number, text)]


def test_a_fault_of_the_linter_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("jaxlint.interpreter.statements.run_block", broken)
    errors, _ = generated.faults("import jax\n\n\n@jax.jit\ndef f(x):\n    return x\n\n\nf(1)\n")
    assert errors and "ZeroDivisionError" in errors[0]


@pytest.mark.slow
def test_generated_programs() -> None:
    parts = generated.collect()
    wrong = [
        (number, errors)
        for number, text in generated.texts(parts, 300, seed=7)
        if (errors := generated.faults(text)[0])
    ]
    assert not wrong
