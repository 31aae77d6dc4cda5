"""What a proposer in seed 002's form says of the code it changes (`file_path`, `old_code`), held against what it saw.

A change that was made for other code than there is must not land by luck: the canonical operations carry neither field,
so they are compared when the answer is read. Pure; needs the cards of the ask alone.
"""

from __future__ import annotations

import ast
import posixpath
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from graphbus_core.negotiation.proposal.said.forms import Unreadable


def must_be_as_seen(proposal: Mapping[str, Any], author: str, cards: Mapping[str, Mapping[str, Any]]) -> None:
    """Raises Unreadable where `file_path` is not the agent's file, or `old_code` is not in its method.

    `cards` as shown to whoever answers; the source stands on its own card only, so others' code is not compared.
    """
    for part in _code_changes(proposal):
        target = str(part.get("target") or part.get("method") or "")
        owner, _, method = target.rpartition(".")
        card = cards.get(str(part.get("node") or owner or author))
        if card is None:
            continue  # said elsewhere
        given = part.get("file_path")
        if given and not _same_file(str(given), card["file"]):
            raise Unreadable(f"file_path is {given}, and {card['name']} stands in {card['file']}; which one is meant?")
        old = part.get("old_code")
        if old and "source" in card and part.get("change_type", "modify") != "add":
            _must_hold(str(old), card, method)


def _code_changes(proposal: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Its parts in the form of seed 002, wherever they may stand."""
    given = proposal.get("diff") or proposal.get("code_change") or ()
    for part in [given] if isinstance(given, Mapping) else given if isinstance(given, list | tuple) else ():
        if isinstance(part, Mapping) and "op" not in part and ("change_type" in part or "new_code" in part):
            yield part


def _same_file(given: str, file: str) -> bool:
    """Whether a path means this file: from the project's root, from further out, or from nearer."""
    path = posixpath.normpath(given.replace("\\", "/")).lstrip("/")
    return path == file or path.endswith("/" + file) or file.endswith("/" + path)


def _must_hold(old: str, card: Mapping[str, Any], method: str) -> None:
    source = _method(card["source"], method) or card["source"]
    if _lines(old) not in _lines(source):
        raise Unreadable(
            f"old_code is not what {card['name']}.{method} holds now; it holds:\n{textwrap.dedent(source).strip()}"
        )


def _method(source: str, name: str) -> str | None:
    """The text of a method, decorators and all; None where it cannot be found."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = textwrap.dedent(source).splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            return "\n".join(lines[first - 1 : node.end_lineno])
    return None


def _lines(text: str) -> str:
    """Text without indentation, blank lines and trailing space, which models and editors do not keep."""
    kept: Iterable[str] = (line.strip() for line in text.splitlines())
    return "\n" + "\n".join(line for line in kept if line) + "\n"
