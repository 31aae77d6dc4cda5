"""Which nodes of a build have other code than they had. Sources and contracts are read, and nothing runs.

A node changed where its own module did, or any module of the build that it imports, directly or not. A module that
imports by a name it makes up (`importlib`, `__import__`) may use any other: it counts as changed with all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphbus_core.artifacts import ArtifactFolder

ANY = "*"  # what a module may import that makes up names


@dataclass(frozen=True)
class Difference:
    """Names of nodes, in the order of the new build; `modules`: those whose code, or what they import, is the same."""

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    modules: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.removed)


def difference(old: ArtifactFolder, new: ArtifactFolder) -> Difference:
    """Compare two builds. Raises ArtifactError."""
    same = _same_modules(old, new)
    before, after = ({one.name: one for one in folder.agents} for folder in (old, new))
    there, here = _wiring(old), _wiring(new)
    changed = [
        name
        for name, agent in after.items()
        if name in before
        and (
            agent.module not in same
            or (agent.module, agent.class_name) != (before[name].module, before[name].class_name)
            or here[name] != there[name]
        )
    ]
    return Difference(
        tuple(changed),
        tuple(name for name in after if name not in before),
        tuple(name for name in before if name not in after),
        same,
    )


def _wiring(folder: ArtifactFolder) -> dict[str, Any]:
    """Node -> what it hears and what it promises: a setting may change both, and leave its source alone."""
    heard: dict[str, list[Any]] = {agent.name: [] for agent in folder.agents}
    for one in folder.subscriptions:
        heard.setdefault(one.node_name, []).append((one.topic.name, one.handler_name))
    return {name: (sorted(topics), folder.schemas.get(name)) for name, topics in heard.items()}


def _same_modules(old: ArtifactFolder, new: ArtifactFolder) -> frozenset[str]:
    """The modules that are what they were, with everything they import."""
    before, after = _digests(old), _digests(new)
    other = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    imports = {name: _imported(new, name, after) for name in after}
    while True:
        more = {
            name for name, used in imports.items() if name not in other and (used & other or (other and ANY in used))
        }
        if not more:
            return frozenset(after) - other
        other |= more


def _digests(folder: ArtifactFolder) -> dict[str, str]:
    files = folder.manifest.files
    return {name: files[module.file] if module.file else "" for name, module in folder.modules.items()}


def _imported(folder: ArtifactFolder, name: str, known: Mapping[str, Any]) -> frozenset[str]:
    """Which modules of the build are run before this one: what it imports, and every package on the way there."""
    module = folder.modules[name]
    above = {part for part in _with_parents(name) if part != name}  # importing it runs the packages that it is in
    if module.file is None:
        return frozenset(above)
    package = name if module.is_package else name.rpartition(".")[0]
    said = _names(folder.read(module.file), package)
    found = {part for one in said for part in _with_parents(one) if part in known}
    return frozenset((found | above | ({ANY} & said)) - {name})


def _with_parents(name: str) -> Iterable[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]


@lru_cache(maxsize=4096)  # a reload reads every source again, and nearly all are what they were
def _names(source: bytes, package: str) -> frozenset[str]:
    """Every dotted name that a module may import, at any depth."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return frozenset((ANY,))
    found: set[str] = set()
    for one in ast.walk(tree):
        match one:
            case ast.Import():
                found.update(alias.name for alias in one.names)
            case ast.ImportFrom():
                base = _absolute(one, package)
                found.add(base)
                found.update(f"{base}.{alias.name}" for alias in one.names)
            case ast.Name(id="__import__"):
                found.add(ANY)
    if any(name.partition(".")[0] in ("importlib", "pkgutil", "runpy") for name in found):
        found.add(ANY)
    return frozenset(found)


def _absolute(one: ast.ImportFrom, package: str) -> str:
    if not one.level:
        return one.module or ""
    base = package.split(".")[: max(len(package.split(".")) - one.level + 1, 0)]
    return ".".join([*base, *([one.module] if one.module else [])])
