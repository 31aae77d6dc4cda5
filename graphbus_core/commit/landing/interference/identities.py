"""What both sides took for their own: one number of a series, one name among names that were all different.

Members of a family stand beside each other: the modules of a folder, the subclasses of a class, the members of an enum,
the entries of a table, numbered files. Where what tells them apart was different in each, and both sides give a new
member the same, whoever goes by it takes two for one. No line of the two is common. Text in, no imports.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphbus_core.commit.landing.interference.definitions import Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.editing.scope import is_test_file

MIN_DIFFERENT = 2  # members that show that a value tells them apart
_NUMBERED = re.compile(r"^(\D{0,2}\d+)[_-]")

_Family = tuple[str, ...]


@dataclass(frozen=True)
class _Member:
    """One of a family, and the value that tells it from the others."""

    path: str
    name: str
    value: int | str
    line: int


def check_identities(old: Project, ours: Project, theirs: Project, now: Project) -> Iterator[Interference]:
    """The values that both sides gave to a member more of one family."""
    before, mine, beside, left = (_read_families(project) for project in (old, ours, theirs, now))
    for family in sorted(mine.keys() & beside.keys()):
        known = before.get(family, {})
        new = [{n: m for n, m in side[family].items() if n not in known} for side in (mine, beside)]
        for name, second in sorted(new[1].items()):
            same = [first for n, first in new[0].items() if n != name and first.value == second.value]
            standing = left.get(family, {})
            if not same or name not in standing or same[0].name not in standing:
                continue
            if _tells_apart(family, [m.value for m in known.values()], second.value):
                what = f"{second.value!r} is also {family[-1]} of {same[0].name}, which the other side added"
                there = f"{same[0].path}:{same[0].line}"
                yield Interference(second.path, second.line, "module", f"{second.name}: {what}", there)


def _tells_apart(family: _Family, known: list[int | str], value: int | str) -> bool:
    """Whether a value tells the members of a family apart: each has another, and it goes on with the series."""
    if len(set(known)) < len(known) or value in known:
        return False
    if family[0] == "enum":
        return True
    numbers = [n for n in known if isinstance(n, int)]
    if isinstance(value, int):
        goes_on = bool(numbers) and len(numbers) == len(known) and value in _list_next(numbers)
        return goes_on and (family[0] in ("folder", "files", "bases") or len(known) >= MIN_DIFFERENT)
    return len(known) >= MIN_DIFFERENT or family[0] == "files"


def _list_next(numbers: list[int]) -> set[int]:
    """The number that goes on with some: one more than the largest, or the same step or factor again."""
    ordered = sorted(numbers)
    following = {ordered[-1] + 1}
    if len(ordered) >= MIN_DIFFERENT:
        following.add(2 * ordered[-1] - ordered[-2])
        if ordered[-2] and ordered[-1] % ordered[-2] == 0:
            following.add(ordered[-1] * (ordered[-1] // ordered[-2]))
    return following


def _read_families(project: Project) -> dict[_Family, dict[str, _Member]]:
    """Each family with its members, by their names."""
    families: dict[_Family, dict[str, _Member]] = {}
    for family, member in _iter_members(project):
        families.setdefault(family, {}).setdefault(member.name, member)
    return families


def _iter_members(project: Project) -> Iterator[tuple[_Family, _Member]]:
    for path in project.files:
        folder, _, file = path.rpartition("/")
        number = _NUMBERED.match(file)
        if number and not is_test_file(path):
            yield ("files", folder, "the number"), _Member(path, path, number[1], 1)
    for path, module in project.modules.items():
        if is_test_file(path):
            continue
        folder, _, file = path.rpartition("/")
        for name, value, line in _iter_constants(module.tree.body):
            if file != "__init__.py" and folder:
                yield ("folder", folder, name), _Member(path, path, value, line)
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef):
                yield from _iter_of_class(path, node)
            elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
                yield from _iter_entries(path, name, node.value)


def _iter_of_class(path: str, node: ast.ClassDef) -> Iterator[tuple[_Family, _Member]]:
    """A class among those of its base, by what it gives a name; its members, by their values."""
    bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
    is_enum = any(base.endswith(("Enum", "Flag")) for base in bases)
    for name, value, line in _iter_constants(node.body):
        kind = "enum" if is_enum else "members"
        yield (kind, path, node.name, "the value"), _Member(path, f"{node.name}.{name}", value, line)
        for base in bases if not is_enum else ():
            yield ("bases", base, name), _Member(path, node.name, value, line)


def _iter_entries(path: str, table: str, value: ast.expr) -> Iterator[tuple[_Family, _Member]]:
    """The entries of a table, by their numbers; those of a list, by what each begins with."""
    match value:
        case ast.Dict(keys=keys, values=values):
            for key, entry in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(entry, ast.Constant) and type(entry.value) is int:
                    yield ("table", path, table, "the value"), _Member(path, repr(key.value), entry.value, entry.lineno)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            for part in parts:
                match part:
                    case ast.Tuple(elts=[head, _, *_]) | ast.Call(args=[head, _, *_]):
                        first = _read_value(head)
                    case _:
                        first = None
                if first is not None:
                    yield ("list", path, table, "the first"), _Member(path, ast.unparse(part), first, part.lineno)


def _iter_constants(body: list[ast.stmt]) -> Iterator[tuple[str, int | str, int]]:
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                value = _read_value(statement.value)
                if value is not None and not name.startswith("__"):
                    yield name, value, statement.lineno


def _read_value(node: ast.expr | None) -> int | str | None:
    """A number or a text that could tell one from another."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None
