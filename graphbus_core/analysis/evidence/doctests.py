"""The doctests of a project as test files that nobody wrote: each example on its own line, what it wants asserted."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator

from graphbus_core.analysis.files import ProjectFiles

PREFIX = "test_doctest_of_"


def build_doctest_files(texts: ProjectFiles) -> dict[str, bytes]:
    """Path beside the module -> its examples, where their names lead to the module's own."""
    files: dict[str, bytes] = {}
    for path in texts.paths:
        if path.endswith(".py") and b">>>" in texts.read_content(path) and not texts.is_test(path):
            folder, _, name = path.rpartition("/")
            beside = f"{folder}/{PREFIX}{name}" if folder else f"{PREFIX}{name}"
            content = _build_file(texts, path, beside)
            if content and beside not in texts.paths:
                files[beside] = content.encode()
    return files


def find_documented_path(path: str) -> str | None:
    """The module that such a file speaks of; None for any other file."""
    folder, _, name = path.rpartition("/")
    if not name.startswith(PREFIX):
        return None
    return f"{folder}/{name.removeprefix(PREFIX)}" if folder else name.removeprefix(PREFIX)


def _build_file(texts: ProjectFiles, path: str, beside: str) -> str:
    try:
        tree = ast.parse(texts.read_content(path))
    except (SyntaxError, ValueError):
        return ""
    dotted = path.removesuffix(".py").removesuffix("/__init__").split("/")
    names = (".".join(dotted[start:]) for start in range(len(dotted)))
    module = next((name for name in names if texts.find_module(name, beside) == path), None)
    facts = texts[path]
    own = [n for n in (*facts.classes, *facts.functions, *facts.variables, *facts.imports) if n.isidentifier()]
    lines: dict[int, str] = {1: f"from {module} import {', '.join(dict.fromkeys(own))}"}
    for docstring in _iter_docstrings(tree):
        for line, text in _iter_example_lines(docstring):
            lines.setdefault(line, text)
    if module is None or len(lines) == 1:
        return ""
    return "\n".join(lines.get(number, "") for number in range(1, max(lines) + 1)) + "\n"


def _iter_docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        match node:
            case (
                ast.Module(body=[ast.Expr(value=ast.Constant(value=str()) as docstring), *_])
                | ast.ClassDef(body=[ast.Expr(value=ast.Constant(value=str()) as docstring), *_])
                | ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str()) as docstring), *_])
                | ast.AsyncFunctionDef(body=[ast.Expr(value=ast.Constant(value=str()) as docstring), *_])
            ):
                yield docstring


def _iter_example_lines(docstring: ast.Constant) -> Iterator[tuple[int, str]]:
    """The lines of one docstring's examples, in a function of their own, each where it stands in the file."""
    try:
        examples = doctest.DocTestParser().get_examples(str(docstring.value))
    except ValueError:
        return
    for count, example in enumerate(examples):
        line = docstring.lineno + example.lineno
        if count == 0:
            yield line - 1, f"def test_line_{line}():"
        source = example.source.rstrip("\n")
        if example.want.strip() and _is_expression(source):
            source = f"assert ({source}) == ({example.want.strip()!r})"
        for offset, text in enumerate(source.split("\n")):
            yield line + offset, f"    {text}"


def _is_expression(source: str) -> bool:
    try:
        ast.parse(source, mode="eval")
    except SyntaxError:
        return False
    return True
