"""A name that was free, and that both sides put something under, each for a use of its own.

An attribute of one object, a method of a class and of its base, a key of one table: nothing is missing where two share
it, and each reads what the other wrote. Text in, no imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from graphbus_core.commit.landing.interference.copies import walk_functions
from graphbus_core.commit.landing.interference.definitions import MAX_STEPS, Definition, Function, Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.editing.scope import is_test_file


@dataclass(frozen=True)
class _Put:
    """What is put under a name: where, and in which words."""

    path: str
    scope: str
    text: str
    line: int
    owner: str = ""  # the class that has it
    above: frozenset[str] = frozenset([""])  # that class, and those that it comes from

    def shares(self, other: _Put) -> bool:
        """Whether one object has both, and they are not the same."""
        return self.text != other.text and (self.owner in other.above or other.owner in self.above)


_Puts = dict[tuple[str, str], list[_Put]]  # of a holder and a name in it


def check_collisions(old: Project, ours: Project, theirs: Project, now: Project) -> Iterator[Interference]:
    """The names that both sides took, and nobody had."""
    mine, beside = (_read_puts(side, side.list_changed(old)) for side in (ours, theirs))
    both = mine.keys() & beside.keys() - _read_puts(old, old.list_changed(now)).keys()
    known = _read_puts(old, list(old.modules)) if both else {}
    left = _read_puts(now, now.list_changed(old)) if both else {}
    for holder, name in sorted(both - known.keys()):
        standing = {(put.path, put.scope, put.text) for put in left.get((holder, name), ())}
        firsts, seconds = ([p for p in side[holder, name] if (p.path, p.scope, p.text) in standing]
                           for side in (mine, beside))  # fmt: skip
        for first, second in [(f, s) for f in firsts for s in seconds if f.shares(s)][:1]:
            what = (
                f"{second.text.partition(chr(10))[0][:80]}: the other side puts something else under {name} of {holder}"
            )
            yield Interference(second.path, second.line, second.scope, what, f"{first.path}:{first.line}")


def _read_puts(project: Project, paths: list[str]) -> _Puts:
    puts: _Puts = {}
    for path in paths:
        module = project.modules.get(path)
        if module is None or is_test_file(path):
            continue
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef):
                above = _list_above(project, Definition(path, node.name, node))
                for name, put in _iter_attributes(path, node, frozenset(above)):
                    puts.setdefault((above[-1], name), []).append(put)
        for scope, function in walk_functions(module.tree, ""):
            for statement in ast.walk(function):
                match statement:
                    case ast.Assign(targets=[ast.Subscript(value=table, slice=ast.Constant(value=str() as key))]):
                        head = ast.unparse(table).rpartition(".")[2]
                        put = _Put(path, scope, ast.unparse(statement), statement.lineno)
                        if not _is_made_here(function, table):
                            puts.setdefault((head, repr(key)), []).append(put)
    return puts


def _is_made_here(function: Function, table: ast.expr) -> bool:
    """Whether a table is a local one: nobody else puts something into it."""
    return isinstance(table, ast.Name) and any(
        isinstance(n, ast.Name) and n.id == table.id and isinstance(n.ctx, ast.Store) for n in ast.walk(function)
    )


def _list_above(project: Project, owner: Definition) -> list[str]:
    """A class and those that it comes from, as far as the tree tells; the last is the head of the line."""
    line = [owner]
    for current in line:
        bases = [project.find_class(current.path, base) for base in getattr(current.node, "bases", ())]
        line += [base for base in bases if base is not None and len(line) < MAX_STEPS]
    return [definition.name for definition in line]


def _iter_attributes(path: str, owner: ast.ClassDef, above: frozenset[str]) -> Iterator[tuple[str, _Put]]:
    """The methods of a class, and the attributes that it gives its object."""
    for node in owner.body:
        if not isinstance(node, Function):
            continue
        scope = f"{owner.name}.{node.name}"
        if not node.name.startswith("__") and not node.decorator_list:
            yield node.name, _Put(path, scope, f"def {node.name} of {owner.name}", node.lineno, owner.name, above)
        for statement in ast.walk(node):
            match statement:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]) if (
                    node.name == "__init__"
                ):
                    yield name, _Put(path, scope, ast.unparse(statement), statement.lineno, owner.name, above)
