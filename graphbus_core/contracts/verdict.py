"""What `check` answers: does it fit, why not, and the payload that proves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# The step budget of one decision, and how it says that it gives up. No clock: the same input takes the same steps.


STEPS = 250_000  # of one decision; a step takes some microseconds


class Inconclusive(Exception):
    """The decision stops: the budget is used up, or a schema cannot be read. `kind` is that of a Reason."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


class Budget:
    """Counts steps. A step costs microseconds; `spend` raises Inconclusive when they are used up."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> None:
        """Use up some steps."""
        self.left -= steps
        if self.left < 0:
            raise Inconclusive(
                "budget", "it takes more steps than allowed to decide; the schemas combine too many cases"
            )


class _Nothing:
    """There is no counterexample. Not None: null is a payload."""

    def __repr__(self) -> str:
        return "NOTHING"

    def __bool__(self) -> bool:
        return False


NOTHING: Any = _Nothing()


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that does not fit, or why it could not be decided.

    `kind` is one of missing_field, optional_field, extra_field, type, value, bound, length, pattern, format, items,
    count, combination; for an undecided verdict undecided, budget, depth, reference,
    pattern or unsupported. `path` is a field path
    as in a field operation (`headlines[].title`); empty for the whole payload.
    """

    kind: str
    path: str
    message: str

    def to_dict(self) -> dict[str, str]:
        """JSON form."""
        return {"kind": self.kind, "path": self.path, "message": self.message}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to "does every payload of the producer fit the consumer?".

    `compatible` True and False are proven; None means it was not decided, and `reasons` say why. `counterexample` is
    a payload that the producer may send and the consumer rejects, checked by an independent validator; NOTHING where
    there is none (`has_counterexample` tells, since null is a payload too).
    """

    compatible: bool | None
    reasons: tuple[Reason, ...] = ()
    counterexample: Any = NOTHING

    @property
    def has_counterexample(self) -> bool:
        """Whether a payload proves the "no"."""
        return self.counterexample is not NOTHING

    def to_dict(self) -> dict[str, Any]:
        """JSON form; `counterexample` is there only where there is one."""
        data: dict[str, Any] = {"compatible": self.compatible, "reasons": [r.to_dict() for r in self.reasons]}
        if self.has_counterexample:
            data["counterexample"] = self.counterexample
        return data


FITS = Verdict(True)
