"""The traps as projects. Right is: not a byte changed, and a question that names the candidates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.evidence_cases.case import Case, End, end, lines
from benchmarks.evidence_cases.render import HEAD, STYLES, contract, method, node, pair, told, value
from benchmarks.evidence_cases.trap_lines import CYCLES, FLAT, MISLEADING, STALE, WIDENINGS


def traps() -> Iterator[Case]:
    """Every trap, kind by kind."""
    for kind, block in FLAT.items():
        for number, line in enumerate(lines(block)):
            # A nested shape has no record of its own in this notation.
            style = STYLES[number % 5]
            record = style in ("typed dict", "data class")
            yield _flat(kind, line, "two files" if kind == "one shape" and record else style)
    for number, line in enumerate(lines(MISLEADING)):
        yield _flat("misleading words", *line.rsplit(" | ", 1)[:1], STYLES[number % 5], line.rsplit(" | ", 1)[1])
    yield from map(_stale, lines(STALE))
    yield from map(_cycle, lines(CYCLES))
    for number, line in enumerate(lines(WIDENINGS)):
        yield _widening(line, STYLES[(0, 1, 3, 4)[number % 4]])


def _flat(kind: str, line: str, style: str, words: str = "") -> Case:
    link, _, asked = line.partition(" ? ")
    giver, taker = (end(text) for text in link.split(" -> "))
    missing, _, names = asked.partition(": ")
    extra = {"taker doc": f"{missing}: {words}"} if words else {}
    return Case(
        "trap",
        kind,
        f"{giver.name} -> {taker.name}",
        pair(giver, taker, style, extra),
        missing,
        tuple(names.split(", ")),
    )


def _stale(line: str) -> Case:
    link = line.partition(" ? ")[0]
    first, middle, last = link.split(" -> ")
    found = re.fullmatch(r"(\w+)\.(\w+)\((\w+): (\w+) \| (\w+): \w+ \| (.*)\)", middle.strip())
    assert found is not None, middle
    name, verb, old, type_, new, expression = found.groups()
    giver, taker = end(first), end(last)
    mid = End(name, verb, {old: type_})
    bodies = [
        node(giver, [method(giver, {}, [f'return {{"{old}": {value(old, type_)}}}'], [_schema({}, giver.fields)])]),
        node(
            mid,
            [
                method(
                    mid,
                    mid.fields,
                    [f'return {{"{new}": {expression}}}'],
                    [f'@depends_on("{giver.name}")', _schema(mid.fields, {new: type_})],
                )
            ],
        ),
        node(
            taker,
            [
                method(
                    taker,
                    taker.fields,
                    [f'return {{"done": {told(taker.fields)}}}'],
                    [f'@depends_on("{mid.name}")', _schema(taker.fields, {"done": "str"})],
                )
            ],
        ),
    ]
    files = {"agents/chain.py": HEAD + "\n\n" + "\n\n".join(bodies)}
    return Case("trap", "stale values", f"{mid.name} -> {taker.name}", files, old, (new,))


def _cycle(line: str) -> Case:
    link, _, missing = line.partition(" ? ")
    loop, once = (end(text) for text in link.split(" <-> "))
    kept = {missing: loop.fields[missing]}
    given = ", ".join(f'"{n}": {n if n in kept else value(n, t, 1)}' for n, t in loop.fields.items())
    back = ", ".join(f'"{n}": {value(n, t, 2)}' for n, t in once.fields.items())
    files = {
        "agents/loop.py": f"{HEAD}\n\n"
        + node(
            loop,
            [method(loop, kept, [f"return {{{given}}}"], [f'@depends_on("{once.name}")', _schema(kept, loop.fields)])],
        )
        + "\n\n"
        + node(
            once,
            [
                method(
                    once,
                    loop.fields,
                    [f"self.used = ({', '.join(loop.fields)})", f"return {{{back}}}"],
                    [f'@depends_on("{loop.name}")', _schema(loop.fields, once.fields)],
                )
            ],
        )
    }
    return Case("trap", "cycles", f"{once.name} -> {loop.name}", files, missing, (missing,))


def _widening(line: str, style: str) -> Case:
    link, _, asked = line.partition(" ? ")
    giver, taker = (end(text) for text in link.split(" -> "))
    missing, _, body = asked.partition(" : ")
    extra = {"body": body, "imports": "from typing import Literal\n"}
    return Case(
        "trap", "widenings", f"{giver.name} -> {taker.name}", pair(giver, taker, style, extra), missing, (missing,)
    )


def _schema(takes: dict[str, str], gives: dict[str, str]) -> str:
    return f"@schema_method(input_schema={contract(takes)}, output_schema={contract(gives)})"
