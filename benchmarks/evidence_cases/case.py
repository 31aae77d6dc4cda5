"""What a case is: files of one small project, the link that does not fit, and what is known to be right."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

END = re.compile(r"\s*(?P<node>\w+)\.(?P<method>\w+)\((?P<fields>.*)\)\s*")


@dataclass(frozen=True)
class End:
    """One end of a link as a line of data writes it: `Kiln.read(zone: str; heat_c: float)`."""

    node: str
    method: str
    fields: dict[str, str]

    @property
    def module(self) -> str:
        """The file that holds it where every class has one of its own."""
        return self.node.lower()

    @property
    def name(self) -> str:
        """As the tool names it."""
        return f"{self.node}.{self.method}"


@dataclass(frozen=True)
class Case:
    """`files` are relative to the project's root; the agents live in `agents/`. `expected` is what the last one of
    `chain` says once each has been fed with what the one before gave; None where nothing may be repaired."""

    part: str
    kind: str
    name: str
    files: dict[str, str]
    missing: str = ""
    candidates: tuple[str, ...] = ()
    chain: tuple[tuple[str, str], ...] = ()
    expected: str | None = None
    runs: tuple[str, ...] = field(default=())  # files that must run, and print what they printed before


def end(text: str) -> End:
    """Read one end of a line."""
    found = END.fullmatch(text)
    if found is None:
        raise ValueError(f"not an end of a link: {text!r}")
    fields = {}
    for part in filter(str.strip, found["fields"].split(";")):
        name, _, type_ = part.partition(":")
        fields[name.strip()] = type_.strip()
    return End(found["node"], found["method"], fields)


def lines(block: str) -> list[str]:
    """The lines of a block of data."""
    return [line for line in block.strip().splitlines() if line.strip()]
