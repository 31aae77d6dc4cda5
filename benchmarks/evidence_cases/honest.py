"""The honest mismatches as projects: each has evidence of one kind, and a way to see at run time if it was heeded."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.evidence_cases.case import Case, End, end, lines
from benchmarks.evidence_cases.honest_lines import HONEST
from benchmarks.evidence_cases.render import STYLES, pair, value

FEEDS = (  # how somebody in the project hands a producer's field to a parameter; {…} are filled in
    '{T}().{t}({rest}, {taken}={p}["{given}"])',
    '{T}().{t}({rest}, {taken}={p}.get("{given}"))',
    '{T}().{t}(**{{{restitems}, "{taken}": {p}["{given}"]}})',
    '{T}().{t}({positional}, {p}["{given}"])',
)


def honest() -> Iterator[Case]:
    """Every honest mismatch, kind by kind."""
    for kind, block in HONEST.items():
        for number, line in enumerate(lines(block)):
            link, _, meant = line.partition(" ! ")
            giver, taker = (end(text) for text in link.split(" -> "))
            taken, given = meant.split(" = ")
            yield _MAKE.get(kind, _plain)(kind, number, giver, taker, taken, given)


def _case(
    kind: str, giver: End, taker: End, taken: str, given: str, files: dict[str, str], runs: tuple[str, ...] = ()
) -> Case:
    names = {name: name for name in taker.fields} | {taken: given}
    numbers = {name: number for number, name in enumerate(giver.fields)}
    values = [eval(value(n, _bare(giver.fields[n]), numbers[n])) for n in names.values()]  # literals of ours
    return Case(
        "honest",
        kind,
        f"{giver.name} -> {taker.name}",
        files,
        taken,
        (given,),
        ((giver.node, giver.method), (taker.node, taker.method)),
        "|".join(str(v) for v in values),
        runs,
    )


def _bare(type_: str) -> str:
    return type_.removeprefix("Annotated[").partition(",")[0] if type_.startswith("Annotated") else type_


def _plain(kind: str, number: int, giver: End, taker: End, taken: str, given: str) -> Case:
    """The names alone are the evidence."""
    return _case(
        kind,
        giver,
        taker,
        taken,
        given,
        pair(giver, taker, ("one file", "two files", "typed dict", "data class")[number % 4]),
    )


def _flow(kind: str, number: int, giver: End, taker: End, taken: str, given: str) -> Case:
    style = STYLES[number % 2]
    files = pair(giver, taker, style)
    feed = _feed(number, giver, taker, taken, given, "row")
    where, home = (
        ("agents.nodes", "agents.nodes")
        if style == "one file"
        else (f"agents.{giver.module}", f"agents.{taker.module}")
    )
    imports = f"from {where} import {giver.node}\nfrom {home} import {taker.node}\n"
    if number % 3 == 0:  # in the program itself
        main = f"{imports}\nrow = {giver.node}().{giver.method}()\nprint({feed})\n"
    elif number % 3 == 1:  # in a function of another module
        files["pipeline.py"] = (
            f"{imports}\n\ndef run() -> dict:\n    row = {giver.node}().{giver.method}()\n    return {feed}\n"
        )
        main = "from pipeline import run\n\nprint(run())\n"
    else:  # through attributes of a plain class among the agents
        held = feed.replace(f"{taker.node}()", "self.second")
        files["agents/wiring.py"] = (
            f"{imports}\n\nclass Wiring:\n    def __init__(self) -> None:\n        self.first = {giver.node}()\n"
            f"        self.second = {taker.node}()\n\n    def run(self) -> dict:\n"
            f"        row = self.first.{giver.method}()\n        return {held}\n"
        )
        main = "from agents.wiring import Wiring\n\nprint(Wiring().run())\n"
    return _case(kind, giver, taker, taken, given, files | {"main.py": main}, ("main.py",))


def _feed(number: int, giver: End, taker: End, taken: str, given: str, p: str) -> str:
    rest = [name for name in taker.fields if name != taken]
    return FEEDS[number % len(FEEDS)].format(
        T=taker.node,
        t=taker.method,
        taken=taken,
        given=given,
        p=p,
        rest=", ".join(f'{n}={p}["{n}"]' for n in rest),
        restitems=", ".join(f'"{n}": {p}["{n}"]' for n in rest),
        positional=", ".join(f'{p}["{n}"]' for n in rest),
    )


def _alias(kind: str, number: int, giver: End, taker: End, taken: str, given: str) -> Case:
    if number % 2:
        giver = End(
            giver.node, giver.method, giver.fields | {given: f'Annotated[{giver.fields[given]}, Alias("{taken}")]'}
        )
    else:
        taker = End(
            taker.node, taker.method, taker.fields | {taken: f'Annotated[{taker.fields[taken]}, Alias("{given}")]'}
        )
    files = pair(
        giver,
        taker,
        STYLES[number % 3],
        {"imports": "from typing import Annotated\n\nfrom graphbus_core import Alias\n"},
    )
    return _case(kind, giver, taker, taken, given, files)


def _description(kind: str, number: int, giver: End, taker: End, taken: str, given: str) -> Case:
    extra = {"imports": "from typing import Annotated\n"}
    form = number % 4
    if form == 0:
        words = f"{given} as {giver.name} gives it"
        taker = End(taker.node, taker.method, taker.fields | {taken: f'Annotated[{taker.fields[taken]}, "{words}"]'})
    elif form == 1:
        extra["taker doc"] = f"{taken}: the `{given}` of {giver.node}."
    elif form == 2:
        words = f"goes to {taker.name} as {taken}"
        giver = End(giver.node, giver.method, giver.fields | {given: f'Annotated[{giver.fields[given]}, "{words}"]'})
    else:
        extra["giver doc"] = f"`{given}` is what {taker.name} calls `{taken}`."
    return _case(kind, giver, taker, taken, given, pair(giver, taker, STYLES[number % 3], extra))


def _test(kind: str, number: int, giver: End, taker: End, taken: str, given: str) -> Case:
    style = STYLES[number % 2]
    files = pair(giver, taker, style)
    where, home = (
        ("agents.nodes", "agents.nodes")
        if style == "one file"
        else (f"agents.{giver.module}", f"agents.{taker.module}")
    )
    feed = _feed(number, giver, taker, taken, given, "given")
    expected = _case(kind, giver, taker, taken, given, files).expected
    name = f"tests/test_{taker.module}.py"
    files[name] = (
        f"from {where} import {giver.node}\nfrom {home} import {taker.node}\n\n\ndef test_{taker.method}() -> None:\n"
        f'    given = {giver.node}().{giver.method}()\n    assert {feed} == {{"done": {expected!r}}}\n'
    )
    return _case(kind, giver, taker, taken, given, files, (name,))


_MAKE = {"flow": _flow, "alias": _alias, "description": _description, "test": _test}
