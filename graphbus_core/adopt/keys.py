"""Keys that are read and that nobody writes, where one that nobody reads has nearly the same name.

Dicts that go through code which nobody can follow (a rule, a configuration, a message) still have keys, and a key that
was renamed on one side leaves two lonely names. It is a guess with a reason, so it is told as likely, never as sure.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from graphbus_core.adopt.known.code import File
from graphbus_core.findings import Finding, Level, Related

NEAR = 0.55  # of the letters; below, two words have only an ending in common
NAME = re.compile(r"[A-Za-z]\w{2,}")
HINT = re.compile(r"[A-Z][a-z]|(list|set|frozenset|tuple|type)$")  # what takes a type in brackets
Place = tuple[str, int]


def lonely_keys(files: Iterable[File]) -> Iterator[Finding]:
    """A warning for each key that is read in brackets and made nowhere, with the one that may be meant."""
    read: dict[str, list[Place]] = defaultdict(list)
    made: dict[str, list[Place]] = defaultdict(list)
    mentioned: dict[str, int] = defaultdict(int)
    for file in files:
        _collect(file, read, made, mentioned)
    missing = [key for key in read if not mentioned[key] and key not in made and NAME.fullmatch(key)]
    unread = [k for k in made if k not in read and not mentioned[k] and len(made[k]) == 1 and NAME.fullmatch(k)]
    for key in missing:
        near = sorted((one for one in unread if _alike(key, one)), key=lambda one: -_likeness(key, one))
        if len(near) == 1 or (near and _likeness(key, near[0]) > _likeness(key, near[1]) + 0.1):
            yield _finding(key, near[0], read[key], made[near[0]][0])


def _collect(file: File, read: dict[str, list[Place]], made: dict[str, list[Place]], mentioned: dict[str, int]) -> None:
    placed = _docstrings(file.tree)  # texts that are keys, or for people, so that they do not count as mentioned
    for at in ast.walk(file.tree):
        match at:
            case ast.Subscript(value=base) if HINT.match(ast.unparse(base).rpartition(".")[2]):
                continue  # `Optional["Order"]` names a class
            case ast.Subscript(ctx=ast.Load(), slice=ast.Constant(value=str() as key) as constant):
                read[key].append((file.path, at.lineno))
                placed.add(id(constant))
            case ast.Subscript(ctx=ast.Store(), slice=ast.Constant(value=str() as key) as constant):
                made[key].append((file.path, at.lineno))
                placed.add(id(constant))
            case ast.Dict(keys=keys):
                for one in keys:
                    if isinstance(one, ast.Constant) and isinstance(one.value, str):
                        made[one.value].append((file.path, one.lineno))
                        placed.add(id(one))
            case ast.keyword(arg=str() as name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                mentioned[name] += 1  # `**kwargs`, `asdict`: each may write a key. A local variable cannot.
            case ast.Name(id=name, ctx=ast.Store()) if name.isupper():
                mentioned[name] += 1  # a class of settings (`app.config.from_object(Config)`)
    for at in ast.walk(file.tree):
        if isinstance(at, ast.Constant) and isinstance(at.value, str) and id(at) not in placed:
            for word in re.findall(r"\w+", at.value) if len(at.value) < 2_000 else ():
                mentioned[word] += 1


def _docstrings(tree: ast.Module) -> set[int]:
    return {id(at.value) for at in ast.walk(tree) if isinstance(at, ast.Expr) and isinstance(at.value, ast.Constant)}


def _alike(one: str, other: str) -> bool:
    common, every = _words(one) & _words(other), _words(one) | _words(other)
    return _likeness(one, other) >= NEAR and (2 * len(common) >= len(every) or one in other or other in one)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, "".join(sorted(_words(one))), "".join(sorted(_words(other)))).ratio()


def _words(key: str) -> set[str]:
    """The words of a name, however it is spelt, without a plural's ending."""
    parts = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", key)
    return {part.lower().removesuffix("s") for part in parts}


def _finding(key: str, near: str, places: list[Place], there: Place) -> Finding:
    file, line = places[0]
    return Finding(
        "GB501",
        f"`{key}` is read, and nothing here writes it; `{near}` is written, and nothing here reads it",
        file,
        line,
        f"{key} ~ {near}",
        Level.WARNING,
        ("likely: two lonely keys of nearly one name",),
        {near: "…"},
        True,
        (Related(f"`{near}` is written here", *there),),
    )
