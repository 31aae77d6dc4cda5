"""What `check` answers: does it fit, why not, and the payload that proves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
        made: dict[str, Any] = {"compatible": self.compatible, "reasons": [r.to_dict() for r in self.reasons]}
        if self.has_counterexample:
            made["counterexample"] = self.counterexample
        return made


FITS = Verdict(True)
