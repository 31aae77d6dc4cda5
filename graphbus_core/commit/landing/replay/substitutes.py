"""Tests in which what their author made by hand is what the project makes. Text in, text out; runs confined.

`Partner(20, "Blue")` becomes the partner that the project made, `{"id": 20}` the table, and a text the text whose lines
look like its own. What else the test says of the old value, it then says of the new one: `"20  # by letter"`, too.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Sequence
from typing import Any

from .values import Recipe

SHARE = "graphbus_share"
_WORD = re.compile(r"[^\W_]+")
_Change = dict[Any, Any]  # what the author wrote -> what the project has in its place
Function = ast.FunctionDef | ast.AsyncFunctionDef
Product = Sequence[Any]  # kind, what the side makes, and what this tree makes


def substitute(test: Function, products: Sequence[Product]) -> Iterator[Function]:
    """Variants of a test, each with products of one kind, from one of them on."""
    kinds = list(dict.fromkeys(kind for kind, *_ in products if kind != "shared"))
    for kind in kinds:
        of_kind = [(old, new) for name, old, new in products if name == kind]
        for first in range(min(len(of_kind), 3)):
            variant = copy.deepcopy(test)
            replacing = _Replace(kind, [*of_kind[first:], *of_kind[:first]], written=_list_expected(variant))
            variant = replacing.visit(variant)
            if replacing.change is not None:
                yield _Rename(replacing.change, replacing.put).visit(variant)
    for name, part in dict.fromkeys((old[0], old[1]) for kind, old, _ in products if kind == "shared"):
        variant = copy.deepcopy(test)
        sharing = _Share(name, part)
        variant = sharing.visit(variant)
        if sharing.is_met:
            yield variant


def _list_expected(test: Function) -> set[int]:
    """The nodes that a test only compares with."""
    return {
        id(part)
        for node in ast.walk(test) if isinstance(node, ast.Assert)
        for compared in ast.walk(node.test) if isinstance(compared, ast.Compare)
        for side in (compared.left, *compared.comparators) if not any(isinstance(n, ast.Call) for n in ast.walk(side))
        for part in ast.walk(side)
    }  # fmt: skip


class _Replace(ast.NodeTransformer):
    """Puts products in the place of what looks like them. `change`: what that says of other values; None where nothing
    was replaced. `put`: the nodes that are new."""

    def __init__(self, kind: str, products: Sequence[tuple[Any, Any]], written: set[int]) -> None:
        self.sort, _, self.name = kind.partition(" ")
        self.products, self.written = products, written
        self.change: _Change | None = None
        self.put: set[int] = set()
        self.count = 0

    def _put(self, change: _Change, new: Recipe) -> ast.expr | None:
        node = spell_literal(new)
        if node is None:
            return None
        self.change = {**change, **(self.change or {})}
        self.put |= {id(part) for part in ast.walk(node)}
        self.count += 1
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if self.sort != "class" or ast.unparse(node.func).rpartition(".")[2] != self.name.rpartition(".")[2]:
            self.generic_visit(node)
            return node
        old, new = self.products[self.count % len(self.products)]
        names = [key[1] for key, _ in old[1]]
        if len(node.args) > len(names) or any(isinstance(a, ast.Starred) for a in node.args):
            return node
        arguments = {**dict(zip(names, node.args, strict=False)), **{k.arg: k.value for k in node.keywords if k.arg}}
        before = {key[1]: value for key, value in old[1]}
        change = {
            value.value: before[name][1] for name, value in arguments.items()
            if isinstance(value, ast.Constant) and before.get(name, [""])[0] == "v" and value.value != before[name][1]
        }  # fmt: skip
        table = self._put(change, new)
        if not isinstance(table, ast.Dict):
            return node
        keywords = [ast.keyword(k.value, v) for k, v in zip(table.keys, table.values, strict=True)
                    if isinstance(k, ast.Constant) and isinstance(k.value, str)]  # fmt: skip
        return ast.Call(node.func, [], keywords)

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        for old, new in self.products:
            if self.sort == "result" and old[0] == "d" and keys and id(node) not in self.written:
                before = {key[1]: value for key, value in old[1] if key[0] == "v"}
                if sorted(map(repr, before)) == sorted(map(repr, keys)):
                    change = {
                        value.value: before[key][1] for key, value in zip(keys, node.values, strict=True)
                        if isinstance(value, ast.Constant) and before[key][0] == "v" and value.value != before[key][1]
                    }  # fmt: skip
                    return self._put(change, new) or node
        self.generic_visit(node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if self.sort in ("file", "result") and isinstance(node.value, str) and id(node) not in self.written:
            for old, new in self.products:
                lines = find_alike(node.value, old[1]) if old[0] == "v" and isinstance(old[1], str) else None
                if lines is not None:
                    words = [_WORD.findall(line) for line in lines]
                    change = {was: now for was, now in zip(*words, strict=False) if was != now}
                    return self._put({_read_number(a): _read_number(b) for a, b in change.items()}, new) or node
        return node


def find_alike(written: str, made: str) -> tuple[str, str] | None:
    """A line of each of two texts that look alike: the same marks in the same places, whatever stands between them."""
    forms: dict[str, str] = {}
    for line in made.splitlines():
        forms.setdefault(_read_form(line), line)
    for line in written.splitlines():
        form = _read_form(line)
        if form in forms and form.strip("9a"):
            return line, forms[form]
    return None


def _read_form(line: str) -> str:
    """A line with each word as one letter, and each number as one digit."""
    marked = _WORD.sub(lambda word: "9" if word[0].isdigit() else "a", line)
    return re.sub(r"a( a)*", "a", marked)


def _read_number(text: str) -> Any:
    return int(text) if text.isdecimal() and str(int(text)) == text else text


class _Rename(ast.NodeTransformer):
    """Says of the new values what the test said of the old ones, but for what was put there."""

    def __init__(self, change: _Change, put: set[int]) -> None:
        self.change, self.put = change, put
        self.words = {str(old): str(new) for old, new in change.items() if type(old) in (int, str) and str(old)}

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if id(node) in self.put or isinstance(node.value, bool | bytes | None.__class__):
            return node
        for old, new in self.change.items():
            if type(old) is type(node.value) and old == node.value:
                return ast.Constant(new)
        if isinstance(node.value, str):
            return ast.Constant(_WORD.sub(lambda word: self.words.get(word[0], word[0]), node.value))
        return node


class _Share(ast.NodeTransformer):
    """Has the objects of a class share one of their parts, where this tree does."""

    def __init__(self, name: str, part: str) -> None:
        self.name, self.part, self.is_met = name, part, False

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if ast.unparse(node.func).rpartition(".")[2] != self.name.rpartition(".")[2]:
            return node
        self.is_met = True
        return ast.Call(ast.Name(SHARE, ast.Load()), [node, ast.Constant(self.part)], [])


class Sharer:
    """What the objects that a test makes share: the part that is named is one and the same, and is filled anew."""

    def __init__(self, is_sharing: bool) -> None:
        self.is_sharing = is_sharing
        self.parts: dict[tuple[type, str], Any] = {}

    def share(self, thing: Any, name: str) -> Any:
        """The object, with the part that all of its class have."""
        value = getattr(thing, name, None)
        if self.is_sharing and isinstance(value, list | dict | set | bytearray):
            common = self.parts.setdefault((type(thing), name), value)
            if common is not value and type(common) is type(value):
                _fill(common, value)
                object.__setattr__(thing, name, common)
        return thing


def _fill(common: Any, value: Any) -> None:
    if isinstance(common, list | bytearray):
        common[:] = value
    else:
        common.clear()
        common.update(value)


def spell_literal(recipe: Recipe) -> ast.expr | None:
    """What a recipe makes, as a literal; None where none does."""
    kind, *rest = recipe
    if kind == "v":
        return ast.Constant(rest[0])
    if kind == "b":
        return ast.Constant(bytes.fromhex(rest[0]))
    if kind in ("l", "t") or (kind == "s" and rest[0]):
        spelt = [spell_literal(part) for part in rest[0]]
        display: dict[str, Any] = {"l": ast.List, "t": ast.Tuple, "s": ast.Set}
        parts = [part for part in spelt if part is not None]
        return (
            (display[kind](parts) if kind == "s" else display[kind](parts, ast.Load()))
            if len(parts) == len(spelt)
            else None
        )
    if kind == "d":
        pairs = [(spell_literal(key), spell_literal(value)) for key, value in rest[0]]
        keys = [key for key, value in pairs if key is not None and value is not None]
        values = [value for key, value in pairs if key is not None and value is not None]
        return ast.Dict(list(keys), values) if len(keys) == len(pairs) else None
    return None
