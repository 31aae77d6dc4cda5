"""The doctests of a project as test files that nobody wrote: each example on its own line, what it wants asserted."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator, Mapping

from graphbus_core.analysis.files import ProjectFiles

PREFIX = "test_doctest_of_"
EXAMPLES = (".md", ".rst", ".txt")  # where the project runs what stands behind `>>>` in them
_RUNS_EXAMPLES = re.compile(rb"\btestfile\(|\bDocFileSuite\(|--doctest-glob")


def build_doctest_files(texts: ProjectFiles) -> dict[str, bytes]:
    """Path beside the module -> its examples, where their names lead to the module's own; texts that are run, too."""
    files: dict[str, bytes] = {}
    for path in texts.paths:
        if path.endswith(".py") and b">>>" in texts.read_content(path) and not texts.is_test(path):
            folder, _, name = path.rpartition("/")
            beside = f"{folder}/{PREFIX}{name}" if folder else f"{PREFIX}{name}"
            content = _build_file(texts, path, beside)
            if content and beside not in texts.paths:
                files[beside] = content.encode()
    suffixes = select_example_suffixes(texts)
    for path in texts.iter_files(suffixes) if suffixes else ():
        folder, _, name = path.rpartition("/")
        lines = dict(_iter_example_lines(texts.read_content(path).decode("utf-8", "replace"), 1))
        if lines:
            files[f"{folder}/{PREFIX}{name}.py".lstrip("/")] = _join_lines(lines).encode()
    return files


def select_example_suffixes(texts: ProjectFiles) -> tuple[str, ...]:
    """The endings of texts whose examples the project runs."""
    settings = texts.iter_files((".toml", ".cfg", ".ini"))
    is_run = any(_RUNS_EXAMPLES.search(texts.read_content(path)) for path in (*texts.paths, *settings))
    return EXAMPLES if is_run else ()


def find_documented_path(path: str) -> str | None:
    """The module or text that such a file speaks of; None for any other file."""
    folder, _, name = path.rpartition("/")
    if not name.startswith(PREFIX):
        return None
    name = name.removeprefix(PREFIX)
    name = name.removesuffix(".py") if name.removesuffix(".py").endswith(EXAMPLES) else name
    return f"{folder}/{name}" if folder else name


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
        for line, text in _iter_example_lines(str(docstring.value), docstring.lineno):
            lines.setdefault(line, text)
    if module is None or len(lines) == 1:
        return ""
    return _join_lines(lines)


def _join_lines(lines: Mapping[int, str]) -> str:
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


def _iter_example_lines(text: str, first: int) -> Iterator[tuple[int, str]]:
    """The lines of one text's examples, in a function of their own, each where it stands in the file."""
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    for count, example in enumerate(examples):
        line = first + example.lineno
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
