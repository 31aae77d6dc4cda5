"""Exact places of the expressions inside f-strings.

Before Python 3.12 `ast` places them wrongly in many strings (several lines, nested, joined by juxtaposition). Here
each replacement field is found in the text, parsed on its own, and its places are copied over.
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from collections.abc import Iterator

from graphbus_core.editing.source import Edit, Source
from graphbus_core.model.edit_outcome import Refusal

_LABEL = re.compile(rb"[\s)]*=\s*(?P<end>[!:}])")  # behind an expression that shows itself: `{qty=}`, `{qty = :>5}`
_PREFIX = re.compile(r"([a-zA-Z]*)('''|\"\"\"|'|\")")
EXACT = sys.version_info >= (3, 12)


def find_labels(source: Source, root: ast.AST) -> dict[tuple[int, int], bytes]:
    """The expressions that show their own text (`{qty=}`), by their places, each with how it ends.

    The places below `root` must be mended. `f"qty={qty!r}"` has the same tree, so the text is asked.
    """
    spans = (source.span(n.value) for n in ast.walk(root) if isinstance(n, ast.FormattedValue))
    return {span: match["end"] for span in spans if (match := _LABEL.match(source.data, span[1]))}


def keep_label(source: Source, first: int, last: int, end: bytes) -> tuple[Edit, Edit]:
    """`{qty=}` -> `qty={qty!r}`: what is shown stays, whatever the name between these places becomes."""
    begin = source.data.rindex(b"{", 0, first)
    stop = source.data.index(end, last)
    label = source.data[begin + 1 : stop]
    return Edit(begin, begin, label), Edit(last, stop, b"!r" if end == b"}" else b"")


def repair_positions(source: Source, root: ast.AST) -> None:
    """Correct the places of all nodes inside f-strings below `root`. Raises Refusal where one cannot be told."""
    if EXACT:
        # From 3.12 on the parser places them exactly, and this file has nothing to do.
        return
    for node in list(_iter_outermost(root)):
        _repair_fstring(source, node)


def _iter_outermost(root: ast.AST) -> Iterator[ast.JoinedStr]:
    for child in ast.iter_child_nodes(root):
        if isinstance(child, ast.JoinedStr):
            yield child
        else:
            yield from _iter_outermost(child)


def _repair_fstring(source: Source, joined: ast.JoinedStr) -> None:
    if not any(isinstance(v, ast.FormattedValue) for v in joined.values):
        return
    start, end = source.span(joined)
    fields = [
        field
        for token in source.iter_tokens(start, end)
        if token.kind == tokenize.STRING
        for field in _iter_fields(token.text, token.start)
    ]
    nodes = list(_iter_values(joined))
    # A field more or less than the tree has means that the scan was wrong. An edit by wrong places destroys code.
    if len(fields) != len(nodes):
        raise Refusal(f"{source.path}:{source.line(start)}: an f-string that cannot be followed.")
    for (text, position), node in zip(fields, nodes, strict=True):
        inner = Source(source.path, b"(" + text.encode() + b")")
        try:
            tree = ast.parse(inner.data, mode="eval").body
        except SyntaxError:
            raise Refusal(f"{source.path}:{source.line(position)}: an f-string that cannot be followed.") from None
        repair_positions(inner, ast.Expression(tree))
        _copy_positions(inner, tree, source, node.value, position - 1)


def _copy_positions(inner: Source, tree: ast.AST, source: Source, node: ast.AST, shift: int) -> None:
    exact_nodes, vague_nodes = list(ast.walk(tree)), list(ast.walk(node))
    # Both trees must be of one shape, node for node, or a place would be copied to another expression.
    if [type(n) for n in exact_nodes] != [type(n) for n in vague_nodes]:
        raise Refusal(f"{source.path}: an f-string that cannot be followed.")
    for exact, vague in zip(exact_nodes, vague_nodes, strict=True):
        if not hasattr(exact, "lineno"):
            continue
        start, end = (shift + place for place in inner.span(exact))
        first, last = source.line(start), source.line(end)
        vague.lineno, vague.col_offset = first, start - source.starts[first - 1]  # type: ignore[attr-defined]
        vague.end_lineno, vague.end_col_offset = last, end - source.starts[last - 1]  # type: ignore[attr-defined]


def _iter_values(joined: ast.JoinedStr) -> Iterator[ast.FormattedValue]:
    for value in joined.values:
        if isinstance(value, ast.FormattedValue):
            yield value
            if isinstance(value.format_spec, ast.JoinedStr):
                yield from _iter_values(value.format_spec)


def _iter_fields(token: str, start: int) -> Iterator[tuple[str, int]]:
    """Each expression of one string token with its place in bytes, in the order of `_iter_values`."""
    match = _PREFIX.match(token)
    if match is None or "f" not in match[1].lower():
        return
    raw = "r" in match[1].lower()
    body_end = len(token) - len(match[2])

    def locate(i: int) -> int:
        return start + len(token[:i].encode())

    yield from ((token[a:b], locate(a)) for a, b in _scan_fields(token, match.end(), body_end, raw, 0)[0])


def _scan_fields(text: str, i: int, end: int, raw: bool, depth: int) -> tuple[list[tuple[int, int]], int]:
    fields: list[tuple[int, int]] = []
    while i < end:
        char = text[i]
        # `\N{BULLET}` has braces that open no field.
        if char == "\\" and not raw and text.startswith("\\N{", i):
            i = text.index("}", i) + 1
        elif char in "{}" and depth == 0 and text.startswith(char * 2, i):
            i += 2
        elif char == "}" and depth:
            return fields, i
        elif char == "{":
            a, b, i = _find_expression(text, i + 1, end)
            fields.append((a, b))
            if text[i] == "=":
                i += 1
                while text[i] in " \t\n":
                    i += 1
            if text[i] == "!":
                i += 2
            if text[i] == ":":
                inner, i = _scan_fields(text, i + 1, end, raw, depth + 1)
                fields += inner
            i += 1
        else:
            i += 1
    return fields, i


def _find_expression(text: str, i: int, end: int) -> tuple[int, int, int]:
    """Where the expression from `i` begins and ends, and the place of what follows it (`}`, `!`, `:` or `=`)."""
    start, depth, quote = i, 0, ""
    while i < end:
        if quote:
            if text.startswith(quote, i):
                i += len(quote)
                quote = ""
                continue
        elif text[i] in "'\"":
            quote = text[i] * 3 if text.startswith(text[i] * 3, i) else text[i]
            i += len(quote)
            continue
        elif text[i] in "([{":
            depth += 1
        elif text[i] in ")]}" and depth:
            depth -= 1
        elif depth == 0 and text[i] in "}!:=":
            # `==`, `!=`, `<=` and `>=` belong to the expression; a single sign ends it.
            if text[i] in "!=" and text.startswith("=", i + 1):
                i += 2
                continue
            if text[i] == "=" and text[i - 1] in "<>":
                i += 1
                continue
            return start, i, i
        i += 1
    raise Refusal("an f-string that cannot be followed.")
