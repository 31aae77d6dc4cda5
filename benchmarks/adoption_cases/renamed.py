"""A renamed key: one that a dict is made with, and that somebody who gets this dict reads in brackets."""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Iterator

from benchmarks.adoption_cases.places import Part, Place, Read, awaited, bound_once, called

Key = tuple[ast.AST, str]  # where it is written, and how


def renamed_keys(read: Read, rng: random.Random) -> Iterator[Place]:
    """Keys of returned dicts, of variables of modules and classes, of arguments; and keys with one writer in all."""
    seen: set[tuple[str, int, int]] = set()
    for path, made, key, readers in [*_returned(read), *_variables(read), *_given(read), *_only(read)]:
        place = (path, key[0].lineno, key[0].col_offset)  # type: ignore[attr-defined]
        if place in seen or not readers or _again(made, key[1]):
            continue
        if any(part is not None and _careful(part, key[1]) for part in readers):
            continue
        seen.add(place)
        new = _renamed(key[1], rng)
        text = f'"{new}"' if isinstance(key[0], ast.Constant) else f"{new}={_source(read, path, key[0])}"
        yield Place("renamed key", path, f"the key {key[1]} is {new} at {path}:{place[1]}", ((key[0], text),))


def _source(read: Read, path: str, at: ast.AST) -> str:
    assert isinstance(at, ast.keyword)
    return ast.get_source_segment(read.texts[path].decode(), at.value) or ""


def _again(made: ast.AST, key: str) -> bool:
    """Whether the maker writes the key in more than one place, or asks for it."""
    words = [n for n in ast.walk(made) if isinstance(n, ast.Constant) and n.value == key]
    keywords = [n for n in ast.walk(made) if isinstance(n, ast.keyword) and n.arg == key]
    return len(words) + len(keywords) > 1


def _careful(part: Part, key: str) -> bool:
    """Whether a reader looks first, expects it to be missing, or sets it."""
    for at in part.nodes:
        match at:
            case ast.Compare(left=ast.Constant(value=word)) if word == key:
                return True
            case ast.Subscript(ctx=ast.Store(), slice=ast.Constant(value=word)) if word == key:
                return True
            case ast.ExceptHandler(type=kinds):
                if kinds is None or {"KeyError", "Exception", "LookupError"} & {
                    n.id for n in ast.walk(kinds) if isinstance(n, ast.Name)
                }:
                    return True
            case ast.Call(func=ast.Attribute(attr="update" | "setdefault")):
                return True
    return False


def keys_of(at: ast.expr | None) -> list[Key]:
    """The keys that a dict is made with, where nothing else may be in it."""
    match at:
        case ast.Dict(keys=keys) if all(isinstance(k, ast.Constant) for k in keys):
            return [(k, k.value) for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=some) if all(k.arg for k in some):
            return [(k, k.arg or "") for k in some]
    return []


def _reads(nodes: list[ast.AST], of: str, key: str) -> bool:
    """Whether `of["key"]` is read."""
    return any(
        isinstance(at, ast.Subscript)
        and isinstance(at.ctx, ast.Load)
        and isinstance(at.slice, ast.Constant)
        and at.slice.value == key
        and ast.unparse(awaited(at.value)) == of
        for at in nodes
    )


def _returned(read: Read) -> Iterator[tuple[str, ast.AST, Key, list[Part | None]]]:
    """`return {…}` of a function with one name in the project, and callers that read a key of it."""
    for maker in read.parts:
        if read.functions[maker.node.name] != 1:
            continue
        names = bound_once(maker)
        returns = [n for n in maker.nodes if isinstance(n, ast.Return)]
        for at in returns if len(returns) == 1 else ():
            value = names.get(at.value.id, at.value) if isinstance(at.value, ast.Name) else at.value
            for key in keys_of(value):
                readers: list[Part | None] = []
                for part in read.parts:
                    for call, of in _results(part):
                        if called(call) == maker.node.name and _reads(part.nodes, of, key[1]):
                            readers.append(part)
                yield maker.path, maker.node, key, readers


def _results(part: Part) -> Iterator[tuple[ast.Call, str]]:
    """Calls in a function, each with what its result is written as afterwards."""
    for name, value in bound_once(part).items():
        if isinstance(value, ast.Call):
            yield value, name
    for at in part.nodes:
        if isinstance(at, ast.Subscript) and isinstance(awaited(at.value), ast.Call):
            yield awaited(at.value), ast.unparse(awaited(at.value))  # type: ignore[misc]


def _variables(read: Read) -> Iterator[tuple[str, ast.AST, Key, list[Part | None]]]:
    """`NAME = {…}` of a module, `self.name = {…}` of a class, read by that name elsewhere."""
    for path, tree in read.trees.items():
        for at in tree.body:
            match at:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if read.words[name]["stored"] == 1:
                    for key in keys_of(value):
                        users = [p for p in read.parts if _reads(p.nodes, name, key[1])]
                        yield path, at, key, list(users)
    for part in read.parts:
        for at in part.nodes if part.cls is not None else ():
            match at:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
                    if read.words[name]["stored"] != 1:
                        continue
                    for key in keys_of(value):
                        users = [p for p in read.parts if p.cls is part.cls and _reads(p.nodes, f"self.{name}", key[1])]
                        yield part.path, part.node, key, [p for p in users if p is not part]


def _given(read: Read) -> Iterator[tuple[str, ast.AST, Key, list[Part | None]]]:
    """`f({…})` for a function with one name in the project, which reads a key of its parameter."""
    takers = {p.node.name: p for p in read.parts if read.functions[p.node.name] == 1}
    for maker in read.parts:
        names = bound_once(maker)
        for at in maker.nodes:
            taker = takers.get(called(at)) if isinstance(at, ast.Call) else None
            if taker is None or not isinstance(at, ast.Call):
                continue
            args = [a.arg for a in [*taker.node.args.posonlyargs, *taker.node.args.args]]
            args = args[1:] if args[:1] in (["self"], ["cls"]) else args
            pairs = [*zip(args, at.args, strict=False), *((k.arg, k.value) for k in at.keywords if k.arg)]
            for name, value in pairs:
                if isinstance(value, ast.Name):
                    value = names.get(value.id, value)
                for key in keys_of(value):
                    yield maker.path, maker.node, key, [taker] if _reads(taker.nodes, name or "", key[1]) else []


def _only(read: Read) -> Iterator[tuple[str, ast.AST, Key, list[Part | None]]]:
    """A key with one writer in the whole project, that nothing else says but those who read it elsewhere."""
    looked: Counter[str] = Counter()
    readers: dict[str, list[Part | None]] = {}
    for tree in read.trees.values():
        looked.update(key for at in ast.walk(tree) for key in [_looked_for(at)] if key)
    for part in read.parts:
        for at in part.nodes:
            if isinstance(at, ast.Subscript) and (key := _looked_for(at)):
                readers.setdefault(key, []).append(part)
    for maker in read.parts:
        for at in maker.nodes:
            for written in _written(at):
                uses = read.words[written[1]]
                others = [p for p in readers.get(written[1], ()) if p is not maker]
                if uses["Constant"] == looked[written[1]] + 1 and not uses["keyword"] and not uses["Attribute"]:
                    yield maker.path, at, written, others


def _looked_for(at: ast.AST) -> str:
    """The key that a node reads: `x["key"]`, `x.get("key")`, `"key" in x`."""
    match at:
        case ast.Subscript(ctx=ast.Load(), slice=ast.Constant(value=str() as key)):
            return key
        case ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[ast.Constant(value=str() as key), *_]):
            return key
        case ast.Compare(left=ast.Constant(value=str() as key), ops=[ast.In() | ast.NotIn()]):
            return key
    return ""


def _written(at: ast.AST) -> list[Key]:
    match at:
        case ast.Dict():
            return [(k, k.value) for k in at.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
        case ast.Subscript(ctx=ast.Store(), slice=ast.Constant(value=str() as key) as written):
            return [(written, key)]
    return []


def _renamed(key: str, rng: random.Random) -> str:
    """Another name for a key, as people rename."""
    first, *rest = key.split("_")
    ways = (
        f"{key}s",
        f"new_{key}",
        first + "".join(word.title() for word in rest) if rest else f"{key}_value",
        "_".join([*rest, first]) if rest else f"the_{key}",
        key[: max(2, len(key) // 2)],
        f"{key}_info",
    )
    return rng.choice(ways)
