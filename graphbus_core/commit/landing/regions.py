"""Where two branches do not fit, as definitions whose text somebody may decide; a decision put in its place. Pure.

A decided definition is written into both sides before they are merged. Then both say the same of it, so the merge has
nothing to decide there, and every promise and gate holds the rest as it does in any landing.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from graphbus_core.commit.landing.files import FileMerge
from graphbus_core.editing.source import Source
from graphbus_core.editing.structural_merge.pieces import DEFINITIONS
from graphbus_core.editing.structural_merge.promises.scopes import own_definitions
from graphbus_core.model.edit_outcome import Refusal

WHOLE = "the whole file"


@dataclass(frozen=True)
class Region:
    """A definition of a file that the two sides want otherwise, its three texts, and why no candidate holds."""

    path: str
    symbol: str  # `Class.method`, or `the whole file`
    base: str
    ours: str
    theirs: str
    why: str
    line: int = 0

    @property
    def key(self) -> tuple[str, str]:
        return self.path, self.symbol


Decisions = Mapping[tuple[str, str], str]  # path and symbol of a region -> the text that stands there


@dataclass(frozen=True)
class Place:
    """A symbol of a file at which something stands against a landing."""

    path: str
    symbol: str
    why: str
    line: int = 0


def list_places(merge: FileMerge) -> list[Place]:
    """The places of a file that has no candidate."""
    places = [Place(merge.path, c.symbol, c.reason, c.line) for c in merge.conflicts]
    return places + [Place(merge.path, p.symbol, f"promise ({p.promise}): {p.what}", p.line) for p in merge.broken]


def list_regions(places: Sequence[Place], read: Callable[[str], tuple[bytes, bytes, bytes]]) -> list[Region]:
    """The regions around some places, each once. `read`: base, ours and theirs of a file, empty where there is none."""
    regions: dict[tuple[str, str], Region] = {}
    for place in places:
        region = _find_region(place, read(place.path))
        regions.setdefault(region.key, region)
    whole = {path for path, symbol in regions if symbol == WHOLE}
    return [r for r in regions.values() if r.symbol == WHOLE or r.path not in whole]


def _find_region(place: Place, three: tuple[bytes, bytes, bytes]) -> Region:
    """The smallest definition around a place that every version has which has the file at all; else the whole file."""
    name = place.symbol if place.path.endswith(".py") else ""
    while name and name != "module":
        cut = [_cut(place.path, data, name) if data else "" for data in three]
        if all(part is not None for part in cut):
            base, ours, theirs = (str(part) for part in cut)
            return Region(place.path, name, base, ours, theirs, place.why, place.line)
        name = name.rpartition(".")[0]
    base, ours, theirs = (data.decode(errors="replace") for data in three)
    return Region(place.path, WHOLE, base, ours, theirs, place.why, place.line)


def _cut(path: str, data: bytes, name: str) -> str | None:
    span = _find_span(path, data, name)
    return None if span is None else data[span[0] : span[1]].decode()


def _find_span(path: str, data: bytes, name: str) -> tuple[int, int] | None:
    """Where the one definition of a name stands, in whole lines with its decorators."""
    try:
        source = Source(path, data)
        node: ast.AST = source.tree
    except Refusal:
        return None
    for part in name.split("."):
        found = [d for d in own_definitions(node) if getattr(d, "name", "") == part]
        if len(found) != 1:
            return None
        node = found[0]
    assert isinstance(node, DEFINITIONS)
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    end: int = source.next_line(source.span(node)[1])
    return source.starts[first - 1], end


def apply_decisions(path: str, data: bytes, decisions: Decisions) -> bytes:
    """One side's file with every decided definition in it as it was decided."""
    for (file, symbol), text in decisions.items():
        if file != path or not data:
            continue
        if symbol == WHOLE:
            return text.encode()
        span = _find_span(path, data, symbol)
        if span is not None:
            old = data[span[0] : span[1]].decode()
            data = data[: span[0]] + _fit(text, old).encode() + data[span[1] :]
    return data


def _fit(text: str, old: str) -> str:
    """A text at the indentation of the one that it stands in for."""
    if not text.strip():
        return ""
    text = text.strip("\n") + "\n"
    indent = old[: len(old) - len(old.lstrip(" \t"))]
    first = text[: len(text) - len(text.lstrip(" \t"))]
    return text if first == indent else textwrap.indent(textwrap.dedent(text), indent)
