"""Whether a side's own tests run its own new code in the merged tree as they do on its side.

A test may pass and yet take another road: code that it never ran is now called by what the other side changed, or is
not called any more. Nobody wrote down that this is right, so it is a question. Text and names in, no processes here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graphbus_core.commit.landing.own_tests import list_own_tests
from graphbus_core.commit.landing.texts import parse
from graphbus_core.editing.scope import is_test_file

Texts = Mapping[str, bytes]
Key = tuple[str, str, str]  # file, function, text of the line
Ran = Mapping[str, frozenset[int]]  # test -> the numbers of the lines that it ran
MAX_TESTS = 200
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Crossing:
    """A line of a side's new code, and one of its tests, that came together on one of two trees alone."""

    path: str
    line: int
    scope: str
    test: str
    is_new: bool  # it runs in the merged tree, and did not on its side

    def __str__(self) -> str:
        now, before = ("runs it", "did not") if self.is_new else ("does not run it", "did")
        return f"{self.path}:{self.line}: {self.test} {now} in the merged tree, and {before} on its own side"


def list_tests(base: Texts, side: Texts, other: Texts) -> list[str]:
    """The tests that a side brought or changed, as pytest names them."""
    return [
        f"{path}::{name}"
        for path, text in side.items()
        if path.endswith(".py") and is_test_file(path) and text != base.get(path)
        for name in list_own_tests(base.get(path, b""), text, other.get(path, b""))
    ][:MAX_TESTS]


@dataclass(frozen=True)
class NewCode:
    """The lines that a side added within functions, by number, and where they stand in a tree."""

    keys: tuple[Key, ...]
    first: int  # the number of the first key

    @classmethod
    def of(cls, base: Texts, side: Texts, first: int) -> NewCode:
        return cls(tuple(sorted(number_lines(side).keys() - number_lines(base).keys())), first)

    def locate(self, texts: Texts) -> dict[str, dict[int, int]]:
        """Of some texts, by file: line -> its number."""
        lines = number_lines(texts)
        out: dict[str, dict[int, int]] = {}
        for i, key in enumerate(self.keys, self.first):
            out.setdefault(key[0], {}).update(dict.fromkeys(lines.get(key, ()), i))
        return out

    def compare(self, merged: Texts, ran: Ran, runs: Ran) -> list[Crossing]:
        """What some tests ran on the side (`ran`), held against what they run in the merged tree."""
        now = number_lines(merged)
        found = []
        for test in sorted(ran.keys() & runs.keys()):
            for i in sorted(ran[test] ^ runs[test]):
                if self.first <= i < self.first + len(self.keys) and self.keys[i - self.first] in now:
                    path, scope, _ = key = self.keys[i - self.first]
                    found.append(Crossing(path, now[key][0], scope, test, i in runs[test]))
        return found


def number_lines(texts: Texts) -> dict[Key, list[int]]:
    """Where each line of code within a function stands."""
    found: dict[Key, list[int]] = {}
    for path, text in texts.items():
        if not path.endswith(".py") or is_test_file(path):
            continue
        tree = parse(text)
        if tree is None:
            continue
        lines = text.decode(errors="replace").splitlines()
        for name, number in _iter_code_lines(tree, ""):
            found.setdefault((path, name, lines[number - 1].strip()), []).append(number)
    return found


def _iter_code_lines(node: ast.AST, name: str) -> Iterator[tuple[str, int]]:
    """Function and first line of each statement within functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Scope):
            yield from _iter_code_lines(child, f"{name}.{child.name}" if name else child.name)
        else:
            if isinstance(child, ast.stmt) and name and not isinstance(child, ast.Try | ast.TryStar):
                yield name, child.lineno
            yield from _iter_code_lines(child, name)
