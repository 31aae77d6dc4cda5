"""`Finding`: one thing that is wrong, where it stands, and what proves it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.findings.codes import CODES, Level as Level


@dataclass(frozen=True)
class Related:
    """Another place that belongs to a finding: the producer's line beside the consumer's."""

    message: str
    file: str
    line: int = 1


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, at the level of its code where no other is given.

    `subject` names it without a place (`Cart.total => Ledger.post`, `Cart.total.qty`), so that it is the same finding
    when lines move. `file` is relative to the project's root, with `/`; empty where it stands in no file. `payload` is
    what proves it, where `has_payload`; `reasons` are further sentences, `fix` is what to do.
    """

    code: str
    message: str
    file: str = ""
    line: int = 1
    subject: str = ""
    level: Level = None  # type: ignore[assignment]  # `__post_init__` takes that of the code
    reasons: tuple[str, ...] = ()
    payload: Any = None
    has_payload: bool = False
    related: tuple[Related, ...] = ()
    fix: str = ""

    def __post_init__(self) -> None:
        if self.level is None:
            known_code = CODES.get(self.code)
            # A code of a newer edition counts: what nobody can judge is no yes.
            object.__setattr__(self, "level", known_code.level if known_code else Level.ERROR)

    @property
    def fingerprint(self) -> str:
        """The same for the same finding, wherever its line has moved to. A baseline is made of these."""
        # Without the line, or every edit above a finding would make it new. Sixteen digits: a project has thousands,
        # not billions.
        parts = (self.code, self.file, self.subject or self.message)
        # `surrogatepass`: a file name may hold bytes that are not text, and a finding about it must still be told.
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def place(self) -> str:
        """`file:line`, or nothing."""
        return f"{self.file}:{self.line}" if self.file else ""

    def to_dict(self) -> dict[str, Any]:
        """JSON form. What is empty is left out, but for the payload: `null` is a payload too."""
        data: dict[str, Any] = {
            "code": self.code,
            "level": self.level.value,
            "message": self.message,
            "file": self.file,
            "line": self.line,
            "subject": self.subject,
            "fingerprint": self.fingerprint,
        }
        if self.reasons:
            data["reasons"] = list(self.reasons)
        if self.has_payload:
            data["payload"] = self.payload
        if self.related:
            data["related"] = [vars(related) for related in self.related]
        if self.fix:
            data["fix"] = self.fix
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Finding:
        """Inverse of `to_dict`."""
        return cls(
            data["code"],
            data["message"],
            data.get("file", ""),
            data.get("line", 1),
            data.get("subject", ""),
            Level(data.get("level", "error")),
            tuple(data.get("reasons", ())),
            data.get("payload"),
            "payload" in data,
            tuple(Related(**related) for related in data.get("related", ())),
            data.get("fix", ""),
        )
