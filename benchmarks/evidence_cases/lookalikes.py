"""The lookalikes as projects: something in each looks like evidence. Right is a question, as with every trap."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.evidence_cases import lookalike_lines as data
from benchmarks.evidence_cases.case import Case, End, end, lines
from benchmarks.evidence_cases.render import HEAD, contract, method, node, pair, told, value


def lookalikes() -> Iterator[Case]:
    """Every one of them, kind by kind."""
    for line in lines(data.IN_CODE):
        yield _beside(line, "main.py", "evidence in code")
    for line in lines(data.IN_TESTS):
        yield _beside(line, "tests/test_it.py", "evidence in tests")
    for number, line in enumerate(lines(data.IN_WORDS)):
        yield _words(line.replace("`sea_level`:", "sea_level:"), number)
    for kind, block in (("one spelling", data.IN_NAMES), ("own prefix", data.IN_PREFIXES)):
        for number, line in enumerate(lines(block)):
            giver, taker, missing, candidates, _ = _parts(line)
            yield _case(
                kind, giver, taker, missing, candidates, pair(giver, taker, ("one file", "two files")[number % 2])
            )
    yield from map(_passed, lines(data.PASSED_ON))
    for line in lines(data.IN_BODIES):
        link, _, body = line.partition(" : ")
        giver, taker, missing, _, _ = _parts(link)
        yield _case("body takes it", giver, taker, missing, (missing,), pair(giver, taker, "one file", {"body": body}))
    yield from map(_joined, lines(data.JOINED))


def _parts(line: str) -> tuple[End, End, str, tuple[str, ...], str]:
    link, _, rest = line.partition(" ? ")
    giver, taker = (end(text) for text in link.split(" -> "))
    asked, _, text = rest.partition(" | ")
    missing, _, names = asked.partition(": ")
    return giver, taker, missing.strip(), tuple(filter(None, names.strip().split(", "))), text.strip()


def _case(kind: str, giver: End, taker: End, missing: str, candidates: tuple[str, ...], files: dict[str, str]) -> Case:
    return Case("trap", kind, f"{giver.name} -> {taker.name}", files, missing, candidates)


def _beside(line: str, name: str, kind: str) -> Case:
    giver, taker, missing, candidates, text = _parts(line)
    code = text.replace("GIVE", f"{giver.node}().{giver.method}()").replace("TAKE", f"{taker.node}().{taker.method}")
    files = pair(giver, taker, "one file")
    files[name] = f"from agents.nodes import {giver.node}, {taker.node}\n" + code.replace(";;", "\n") + "\n"
    return _case(kind, giver, taker, missing, candidates, files)


def _words(line: str, number: int) -> Case:
    giver, taker, missing, candidates, text = _parts(line)
    if number % 2:
        taker = End(taker.node, taker.method, taker.fields | {missing: f'Annotated[{taker.fields[missing]}, "{text}"]'})
        extra = {"imports": "from typing import Annotated\n"}
    else:
        extra = {"taker doc": f"{missing}: {text}"}
    return _case("words near it", giver, taker, missing, candidates, pair(giver, taker, "one file", extra))


def _passed(line: str) -> Case:
    link, _, missing = line.partition(" ? ")
    first, middle, last = link.split(" -> ")
    found = re.fullmatch(r"(\w+)\.(\w+)\((\w+): ([^|]+) \| (\w+): ([^|]+) \| (.*)\)", middle.strip())
    assert found is not None, middle
    name, verb, old, type_, new, new_type, expression = found.groups()
    giver, taker, mid = end(first), end(last), End(name, verb, {old: type_})
    steps = (
        (giver, {}, giver.fields, f'{{"{old}": {value(old, type_)}}}', ""),
        (mid, mid.fields, {new: new_type}, f'{{"{new}": {expression}}}', giver.name),
        (taker, taker.fields, {"done": "str"}, f'{{"done": {told(taker.fields)}}}', mid.name),
    )
    bodies = []
    for at, takes, gives, returned, before in steps:
        marks = [f'@depends_on("{before}")'] if before else []
        marks.append(f"@schema_method(input_schema={contract(takes)}, output_schema={contract(gives)})")
        bodies.append(node(at, [method(at, takes, [f"return {returned}"], marks)]))
    # The new value is of another type, so nothing that is sent could be it: the question says what is received.
    return _case("made anew", mid, taker, missing, (), {"agents/chain.py": HEAD + "\n\n" + "\n\n".join(bodies)})


def _joined(line: str) -> Case:
    first, _, rest = line.partition(" + ")
    other, taker, missing, candidates, _ = _parts(rest)
    giver = end(first)
    marks = [
        f'@depends_on("{giver.name}", "{other.name}")',
        f'@schema_method(input_schema={contract(taker.fields)}, output_schema={{"done": str}})',
    ]
    bodies = []
    for one in (giver, other):
        gives = ", ".join(f'"{n}": {value(n, t, i)}' for i, (n, t) in enumerate(one.fields.items()))
        mark = f"@schema_method(input_schema={{}}, output_schema={contract(one.fields)})"
        bodies.append(node(one, [method(one, {}, [f"return {{{gives}}}"], [mark])]))
    bodies.append(node(taker, [method(taker, taker.fields, [f'return {{"done": {told(taker.fields)}}}'], marks)]))
    return _case("joined", giver, taker, missing, candidates, {"agents/nodes.py": HEAD + "\n\n" + "\n\n".join(bodies)})
