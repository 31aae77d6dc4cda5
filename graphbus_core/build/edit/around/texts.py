"""A small change inside a long method: a text that stands in its body exactly once becomes another."""

from __future__ import annotations

import re
import textwrap

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.edit_plan import EditPlan
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.understand.keys.scope import Function
from graphbus_core.model.operation import EditText


def edit(plan: EditPlan, op: EditText) -> bool:
    """Replace `old` by `new`. The anchor is the method and the text together, so nothing moves by a line number."""
    assert op.method is not None
    source, _, function = plan.workspace.own_method(op.node, op.method)
    old, new = (text.replace("\r\n", "\n").replace("\r", "\n") for text in (op.old, op.new))
    if not old.strip():
        raise Refusal("`old` is empty; give the text that is to be replaced.")
    if old == new:
        return False
    start, end = _body(source, function)
    newline = source.newline(start)
    wanted, made = (text.replace("\n", newline.decode()).encode() for text in (old, new))
    body = source.data[start:end]
    if body.count(wanted) == 1:
        at = start + body.index(wanted)
        plan.add(source, Edit(at, at + len(wanted), _indented(source, at, made, newline)))
        return True
    found = _lines(body, wanted)
    if (
        len(found) == 1 and not body.count(wanted) and not _QUOTED.search(made + wanted)
    ):  # the same lines, but for the indentation in front of all of them
        at, until = found[0]
        plan.add(source, Edit(start + at, start + until, _moved(made, source.indent(start + at), newline)))
        return True
    times = body.count(wanted) or len(found)
    if not times and (body.count(made) == 1 or len(_lines(body, made)) == 1):
        return False  # it was done already
    many = f"stands {times} times in" if times else "does not stand in"
    more = "Give more of the lines around it." if times else "Copy it as it is written, with its spaces."
    raise Refusal(f"{old!r} {many} the body of {op.symbol}. {more}", source.places(function))


def _body(source: Source, function: Function) -> tuple[int, int]:
    """Where the statements of a function stand: from the start of their line, where they have one of their own."""
    first = source.span(function.body[0])[0]
    return source.line_start(first) if source.begins_line(first) else first, source.span(function.body[-1])[1]


_QUOTED = re.compile(rb"\"{3}|'{3}")


# Models copy a line without the spaces in front of it, or with fewer, and write what replaces it as deep. What they
# mean can be told, because the anchor stands in the file: its indentation is the right one.


def _indented(source: Source, at: int, made: bytes, newline: bytes) -> bytes:
    """What is put at `at`, its further lines as deep as the anchor's where they were written for the margin."""
    indent = source.indent(at)
    before = source.data[source.line_start(at) : at]
    if newline not in made or before.strip() or _QUOTED.search(made):  # a text's own lines are not ours to move
        return made
    rest = made.partition(newline)[2]
    deep = [len(line) - len(line.lstrip()) for line in rest.split(newline) if line.strip()]
    if not deep or min(deep) >= len(indent):
        return made
    # The anchor began `len(before)` characters into its line; what was written before it there is not in `made`.
    return _moved(made, indent, newline)[len(before) :]


def _moved(made: bytes, indent: bytes, newline: bytes) -> bytes:
    """Lines with the indentation that they share taken away, and `indent` in its place."""
    lines = textwrap.dedent(made.decode()).split(newline.decode())
    return newline.join(indent + line.encode() if line.strip() else b"" for line in lines)


def _lines(body: bytes, wanted: bytes) -> list[tuple[int, int]]:
    """Where whole lines of a body are those of `wanted`, the indentation that they share apart."""
    asked = textwrap.dedent(wanted.decode()).strip("\r\n").split("\n")
    asked = [line.rstrip() for line in asked]
    have = body.decode().splitlines(keepends=True)
    found = []
    for first in range(len(have) - len(asked) + 1):
        window = have[first : first + len(asked)]
        if [line.rstrip() for line in textwrap.dedent("".join(window)).splitlines()] == asked:
            at = len("".join(have[:first]).encode())
            until = at + len("".join(window).encode().rstrip(b"\r\n"))
            found.append((at, until))
    return found
