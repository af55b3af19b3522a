"""What a workload reports: one figure against the value stated for it, and what else was measured."""

from __future__ import annotations

import dataclasses
import json
import math
import platform
from dataclasses import dataclass, field


@dataclass(slots=True)
class Outcome:
    """The result of one run.

    `value` is judged against `stated` (`higher`: at least that; otherwise at most), once `steps` reaches
    `judged_from`. `seconds` is the time of the hot loop as the program itself measured it, after the first step where
    the program is right. `details` holds further figures, sizes in bytes, times in the unit their name ends in.
    """

    workload: str
    variant: str  # right | faulty
    metric: str
    value: float
    stated: float
    higher: bool
    steps: int
    judged_from: int
    seconds: float
    details: dict[str, object] = field(default_factory=dict)
    # conditions besides the figure, by name; one that is False fails the run
    conditions: dict[str, bool] = field(default_factory=dict)

    @property
    def reached(self) -> bool | None:
        """Whether the stated figure was reached; None when the run was too short to say."""
        if self.steps < self.judged_from:
            return None
        return self.value >= self.stated if self.higher else self.value <= self.stated

    @property
    def passed(self) -> bool | None:
        """`reached`, and False whenever a condition doesn't hold."""
        return self.reached if all(self.conditions.values()) else False

    def line(self) -> str:
        """One line for people."""
        word = {True: "reached", False: "MISSED", None: f"not judged before {self.judged_from} steps"}[self.reached]
        rate = f", {self.steps / self.seconds:.1f} steps/s" if self.seconds > 0 else ""
        broken = "".join(f", NOT {name}" for name, holds in self.conditions.items() if not holds)
        sign = ">=" if self.higher else "<="
        return (
            f"{self.workload} ({self.variant}): {self.metric} {self.value:.6g} (stated {sign} {self.stated:g}: {word})"
            f"{broken}, {self.steps} steps{rate}, {device_text()}"
        )

    def as_dict(self) -> dict[str, object]:
        """Everything, with the machine."""
        import jax

        facts = dataclasses.asdict(self)
        facts["passed"] = self.passed
        facts["jax"] = jax.__version__
        facts["device"] = device_text()
        facts["devices"] = len(jax.devices())
        facts["python"] = platform.python_version()
        stats = jax.devices()[0].memory_stats()
        if stats and "peak_bytes_in_use" in stats:
            facts["peak_bytes"] = int(stats["peak_bytes_in_use"])
        return facts

    def as_json(self) -> str:
        """`as_dict` as JSON; a number that JSON has no word for (inf, nan) becomes null."""
        return json.dumps(_finite(self.as_dict()))


def _finite(value: object) -> object:
    """`value` with plain Python numbers, and None in place of those that aren't finite."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    number = float(value)  # type: ignore[arg-type]
    return number if math.isfinite(number) else None


def device_text() -> str:
    """The device's kind, and how many there are when more than one."""
    import jax

    devices = jax.devices()
    many = f" x {len(devices)}" if len(devices) > 1 else ""
    return f"{devices[0].device_kind}{many}"
