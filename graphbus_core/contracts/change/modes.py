"""The field's compatibility modes over a history of versions (as schema registries name them).

BACKWARD: who reads with the new contract can read what was written with the old. FORWARD: who still reads with the old
can read what is written with the new. FULL: both. The transitive forms ask it of every version, not of the last alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.check import check
from graphbus_core.contracts.reading.contract import Contract
from graphbus_core.contracts.values.verdict import Verdict
from graphbus_core.errors import ContractError

MODES = ("BACKWARD", "BACKWARD_TRANSITIVE", "FORWARD", "FORWARD_TRANSITIVE", "FULL", "FULL_TRANSITIVE", "NONE")
Version = Contract | Mapping[str, Any] | bool


@dataclass(frozen=True, slots=True)
class Compatibility:
    """The answer for a mode: True, False, or None where a verdict was not decided and none says no.

    `verdicts` holds (version index, "BACKWARD" or "FORWARD", verdict) for every check that was made.
    """

    mode: str
    compatible: bool | None
    verdicts: tuple[tuple[int, str, Verdict], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        rows = [{"version": i, "direction": d, **v.to_dict()} for i, d, v in self.verdicts]
        return {"mode": self.mode, "compatible": self.compatible, "verdicts": rows}


def compatibility(
    old: Version | Sequence[Version], new: Version, mode: str = "BACKWARD", *, dialect: str | int | None = None
) -> Compatibility:
    """Whether `new` may follow `old`: one version, or the history with the oldest first. Raises ContractError."""
    wanted = mode.upper().replace("-", "_")
    if wanted not in MODES:
        raise ContractError(f"{mode!r} is not a compatibility mode; use one of {', '.join(MODES)}.")
    history: list[Version] = [old] if isinstance(old, Contract | Mapping | bool) else list(old)
    if wanted == "NONE" or not history:
        return Compatibility(wanted, True)
    first = 0 if wanted.endswith("_TRANSITIVE") else len(history) - 1
    verdicts = []
    # Newest first: where one breaks it is most likely the last, and that is the one people ask about.
    for index in range(len(history) - 1, first - 1, -1):
        if not wanted.startswith("FORWARD"):
            verdicts.append((index, "BACKWARD", check(history[index], new, dialect=dialect)))
        if not wanted.startswith("BACKWARD"):
            verdicts.append((index, "FORWARD", check(new, history[index], dialect=dialect)))
    answers = [v.compatible for _, _, v in verdicts]
    # One no is a no, whatever was not decided beside it.
    return Compatibility(wanted, False if False in answers else None if None in answers else True, tuple(verdicts))
