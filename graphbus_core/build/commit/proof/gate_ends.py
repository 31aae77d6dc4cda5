"""How a gate ends: proved, tested, not run (and why), or refused (and why)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class GateStatus(StrEnum):
    """What a gate can say of itself.

    `PROVED`: it holds for every input (contracts, parsing). `TESTED`: it held for what was tried (a rehearsal, the
    user's tests). The difference is said everywhere, because only the first is a promise.
    """

    PROVED = "proved"
    TESTED = "tested"
    NOT_RUN = "not run"
    REFUSED = "refused"


@dataclass(frozen=True)
class GateEnd:
    """The end of one gate. `why`: for its proposer; may be empty. `kept`: what the receipt keeps of it."""

    gate: str
    end: GateStatus
    why: str = ""
    kept: Mapping[str, Any] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """It said yes."""
        return self.end in (GateStatus.PROVED, GateStatus.TESTED)

    def to_dict(self) -> dict[str, str]:
        """The form in logs."""
        return {"gate": self.gate, "end": str(self.end), **({"why": self.why} if self.why else {})}

    def blocked(self) -> GateEnd:
        """The same gate as a no: what could not be proved is not committed unless the user allows it by name."""
        allow = f"Mend that, or allow it with --allow-unproved {self.gate}."
        why = f"it could not be run, and what is unproved is not committed: {self.why.rstrip('.')}. {allow}"
        return GateEnd(self.gate, GateStatus.REFUSED, why, self.kept)


Said = tuple[GateStatus, str] | tuple[GateStatus, str, Mapping[str, Any]]


def proved(why: str = "", kept: Mapping[str, Any] | None = None) -> Said:
    """It holds for every input."""
    return GateStatus.PROVED, why, kept or {}


def held(why: str = "", kept: Mapping[str, Any] | None = None) -> Said:
    """It held for everything that was tried."""
    return GateStatus.TESTED, why, kept or {}


def not_run(why: str, kept: Mapping[str, Any] | None = None) -> Said:
    """It could not be tried, or nobody asked for it."""
    return GateStatus.NOT_RUN, why, kept or {}


def refused(why: str, kept: Mapping[str, Any] | None = None) -> Said:
    """It does not hold."""
    return GateStatus.REFUSED, why, kept or {}
