"""The tests that a side brought or changed in a file, by the names that pytest gives them. Text in, names out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphbus_core.commit.landing.texts import parse


def list_own_tests(base: bytes, side: bytes, other: bytes) -> list[str]:
    """The tests that are not as the base has them, and that the other side left as they were."""
    old, own, beside = (dict(_read_tests(data)) for data in (base, side, other))
    return [name for name, text in own.items() if text != old.get(name) and beside.get(name) == old.get(name)]


def _read_tests(data: bytes) -> Iterator[tuple[str, str]]:
    tree = parse(data)
    for node in tree.body if tree else ():
        yield from _read_test(node, "")
        if isinstance(node, ast.ClassDef) and is_test_class(node):
            for method in node.body:
                yield from _read_test(method, f"{node.name}::")


def is_test_class(node: ast.ClassDef) -> bool:
    """Whether pytest looks for tests in a class: by its name, or as one of unittest's, whatever it is called."""
    return node.name.startswith("Test") or any(ast.unparse(base).endswith("TestCase") for base in node.bases)


def _read_test(node: ast.stmt, prefix: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
        yield f"{prefix}{node.name}", ast.dump(node)
