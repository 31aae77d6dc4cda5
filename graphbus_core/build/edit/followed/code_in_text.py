"""Code that stands in text: what `exec` is given, a program for `python -c`, the examples that doctest runs.

It is found where text parses as Python and calls a method of the name. It is never edited: whoever runs the text may
have made it of parts, so a change that it would have to follow is refused with its line.
"""

from __future__ import annotations

import ast
import doctest
import re
import textwrap
from collections.abc import Iterator

from graphbus_core.build.edit.followed import calls
from graphbus_core.build.edit.text.worktree import Worktree
from graphbus_core.syntax import last_name

LONGEST = 20_000  # characters of one text that is parsed: longer ones are data


def speaking(work: Worktree, method: str, field: str | None = None) -> list[str]:
    """`file:line` of each text that is code, calls `method` and, where a field is given, names that too."""
    pattern = re.compile(rf"\b{re.escape(method)}\b")
    words = [pattern, re.compile(rf"\b{re.escape(field or method)}\b")]
    got = re.compile(rf"\{{[\w.\[\]]*\.{re.escape(method)}\b")  # "{0.clean}".format(cleaner)
    found = []
    for source in calls.sources(work):
        if not pattern.search(source.data.decode("utf-8", "replace")):
            continue
        is_made = any(_runs_computed(node) for node in ast.walk(source.tree))
        for node in ast.walk(source.tree):
            text = _text(node)
            if is_made and any(word.search(text) for word in words):  # maybe a part of the program
                found.append(f"{source.path}:{node.lineno}")  # type: ignore[attr-defined]
                continue
            if not pattern.search(text):
                continue
            if (field is None and got.search(text)) or any(_speaks(tree, method, field) for tree in _programs(text)):
                found.append(f"{source.path}:{node.lineno}")  # type: ignore[attr-defined]
    return found


def _runs_computed(node: ast.AST) -> bool:
    """Whether it runs text that is put together elsewhere: `exec(f"…")`, `eval(path.read_text())`."""
    match node:
        case ast.Call(func=ast.Name(id="eval" | "exec" | "compile"), args=[program, *_]):
            return not isinstance(program, ast.Constant)
    return False


def _text(node: ast.AST) -> str:
    """A text as written; of an f-string what it says around its values, which count as one name."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(p.value) if isinstance(p, ast.Constant) else "_" for p in parts)
    return ""


def _programs(text: str) -> Iterator[ast.Module]:
    if len(text) > LONGEST or "(" not in text:
        return
    if ">>>" in text:
        try:
            programs = [one.source for one in doctest.DocTestParser().get_examples(text)]
        except ValueError:  # prompts that are not examples: nobody can run them
            return
    else:
        programs = [textwrap.dedent(text)]
    for program in programs:
        try:
            yield ast.parse(program)
        except (SyntaxError, ValueError, RecursionError):
            continue


def _speaks(tree: ast.Module, method: str, field: str | None) -> bool:
    nodes = list(ast.walk(tree))
    if not any(isinstance(n, ast.Call) and method in (last_name(n.func), *_names(n)) for n in nodes):
        return False
    return field is None or any(
        (isinstance(n, ast.keyword) and n.arg == field)
        or (isinstance(n, ast.Constant) and n.value == field)
        or (isinstance(n, ast.Attribute) and n.attr == field)
        for n in nodes
    )


def _names(call: ast.Call) -> Iterator[str]:
    """`bus.call("Cleaner", "clean")`, `getattr(cleaner, "clean")`."""
    for one in call.args:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value.rpartition(".")[2]
