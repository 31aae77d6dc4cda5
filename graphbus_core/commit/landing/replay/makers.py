"""How the tests of a tree have the project make an object, where another test makes it by hand. Text in, text out.

A test may put an object together itself that a function of the project gives. New code is then seen with what its
author thought of, and never with what it will be given.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from graphbus_core.commit.landing.replay.compare import Function, iter_functions
from graphbus_core.commit.landing.texts import parse
from graphbus_core.editing.scope import is_test_file

MAX_MAKERS = 3  # of one class

Maker = tuple[list[str], str, str]  # the fixtures that it needs, the statements before, the call that gives the object


def list_makers(texts: Mapping[str, bytes]) -> dict[str, list[Maker]]:
    """Class -> the ways in which tests come to one by a function of the project."""
    code = {path: parse(text) for path, text in texts.items() if path.endswith(".py")}
    classes = {n.name for p, tree in code.items() if tree and not is_test_file(p) for n in tree.body
               if isinstance(n, ast.ClassDef)}  # fmt: skip
    giver_of = {
        name: kind
        for path, tree in code.items() if not is_test_file(path)
        for name, node in iter_functions(tree) if "." not in name
        if (kind := _find_given(node)) in classes
    }  # fmt: skip
    makers: dict[str, list[Maker]] = {}
    for path, tree in code.items():
        if giver_of and tree is not None and is_test_file(path):
            for kind, maker in _iter_makers(tree, giver_of):
                makers.setdefault(kind, []).append(maker)
    return {kind: ways[:MAX_MAKERS] for kind, ways in makers.items()}


def _find_given(function: Function) -> str:
    """The class of what a function gives, where its text tells: it makes the object that it returns."""
    class_of = {
        statement.targets[0].id: _name_callee(statement.value)
        for statement in ast.walk(function)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }
    classes = {
        class_of.get(node.value.id, "") if isinstance(node.value, ast.Name) else _name_callee(node.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Return)
    }
    return classes.pop() if len(classes) == 1 else ""


def _name_callee(node: ast.expr | None) -> str:
    return ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""


def _iter_makers(tree: ast.Module, giver_of: Mapping[str, str]) -> Iterator[tuple[str, Maker]]:
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    for _, test in iter_functions(tree):
        if test.decorator_list or isinstance(test, ast.AsyncFunctionDef) or not test.name.startswith("test"):
            continue
        for i, statement in enumerate(test.body):
            if isinstance(statement, ast.Assign) and _name_callee(statement.value) in giver_of:
                before = [s for s in test.body[:i] if not isinstance(s, ast.Assert)]
                fixtures = [argument.arg for argument in test.args.args]
                text = "\n".join(map(ast.unparse, [*imports, *before]))
                yield giver_of[_name_callee(statement.value)], (fixtures, text, ast.unparse(statement.value))
