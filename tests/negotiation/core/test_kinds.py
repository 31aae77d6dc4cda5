"""Kinds of facts follow from their classes: one that is added is written, read and known without a second list."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import graphbus_core
from graphbus_core.document.table.log import DirectoryLog
from graphbus_core.negotiation.core import AnswerRefused
from graphbus_core.negotiation.proposal.machine.fold import _FOLDS
from graphbus_core.stores.jsonl import JsonlLog
from graphbus_core.stores.reading import LogReader

# Each protocol: where its kinds are gathered, and where its classes are written.
PROTOCOLS = {
    "graphbus_core.negotiation.proposal.said.events": ("graphbus_core.negotiation.proposal.said.commits",),
    "graphbus_core.negotiation.consent.vocabulary": (),
    "graphbus_core.negotiation.document.said.facts": (),
    "graphbus_core.agree.rules": (),
}
ADDED = '''
@dataclass(frozen=True)
class Added(Event):
    """A kind of a later edition."""

    kind: ClassVar[str] = "added_later"
    what: str


'''


def written(module: str) -> dict[str, str]:
    """The classes of facts in a module's source, by their kind: read from the text, so that it proves the derived."""
    file = import_module(module).__file__
    assert file is not None
    found = {}
    for node in ast.parse(Path(file).read_text(encoding="utf-8")).body:
        for line in node.body if isinstance(node, ast.ClassDef) else ():
            match line:
                case ast.AnnAssign(target=ast.Name(id="kind"), value=ast.Constant(value=str() as kind)):
                    assert isinstance(node, ast.ClassDef)
                    assert kind not in found, f"{kind} names two facts of {module}"
                    found[kind] = node.name
    return found


def classes(module: str) -> dict[str, str]:
    """All kinds of a protocol as its sources have them."""
    return {kind: name for one in (module, *PROTOCOLS[module]) for kind, name in written(one).items()}


@pytest.mark.parametrize("module", PROTOCOLS)
def test_every_fact_that_is_written_is_a_kind_of_its_protocol(module: str) -> None:
    """All of them and nothing else, but the refused answer that the engine has for every protocol."""
    events = {kind: cls.__name__ for kind, cls in import_module(module).EVENTS.items() if cls is not AnswerRefused}
    assert events == classes(module)


@pytest.mark.parametrize("module", PROTOCOLS)
def test_an_added_kind_needs_no_second_place(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One class more in the source, and both logs write it and read it back."""
    file = import_module(module).__file__
    assert file is not None
    before, mark, after = Path(file).read_text(encoding="utf-8").partition("EVENTS: Mapping")
    later: Any = ModuleType(f"{module}_later")
    monkeypatch.setitem(sys.modules, later.__name__, later)  # dataclasses look their own module up there
    exec(compile(before + ADDED + mark + after, file, "exec", dont_inherit=True), vars(later))
    fact = later.Added("something")
    with JsonlLog(tmp_path / "one.jsonl", later.EVENTS, durable=False) as log:
        log.append([fact])
    assert [entry.event for entry in LogReader(tmp_path / "one.jsonl", later.EVENTS)] == [fact]
    shared = DirectoryLog(tmp_path / "two.jsonl", later.EVENTS)
    shared.append([fact])
    shared.flush()
    again = DirectoryLog(tmp_path / "two.jsonl", later.EVENTS)
    again.refresh()
    assert [entry.event for entry in again] == [fact]


def test_no_second_list_of_kinds_stands_anywhere() -> None:
    """No list, set, tuple or table of the product names most of a protocol's kinds, by class or by word."""
    known = [set(kinds) | set(kinds.values()) for kinds in map(classes, PROTOCOLS)]
    found = set()
    root = Path(graphbus_core.__file__).parent
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        # Parsed only where the words stand at all: the rest of the product needs no tree.
        if any(sum(name in text for name in names) * 3 > len(names) for names in known):
            for names in _listed(ast.parse(text)):
                if any(len(names & one) * 3 > len(one) for one in known):  # a kind counts twice: two thirds of them
                    found.add(path.relative_to(root).as_posix())
    # Which function folds a fact: the behaviour of each kind, and the one table where each must stand.
    assert found == {"negotiation/proposal/machine/fold.py"}
    events = import_module("graphbus_core.negotiation.proposal.said.events").EVENTS
    assert set(_FOLDS) == set(events.values()) - {AnswerRefused}


def _listed(tree: ast.AST) -> Iterator[set[str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
            yield {name for one in (node.keys if isinstance(node, ast.Dict) else node.elts) for name in _name(one)}


def _name(node: ast.expr | None) -> Iterator[str]:
    match node:
        case ast.Attribute(value=inner, attr="kind"):
            yield from _name(inner)
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str() as name):
            yield name
