"""What every merge owes, whatever the three texts: an unchanged side, both orders, bytes that nobody touched."""

from __future__ import annotations

import ast

from hypothesis import example, given, settings, strategies as st

from graphbus_core.editing.structural_merge import MAX_CANDIDATES, merge_sources
from graphbus_core.editing.structural_merge.promises import broken_promises

NAMES = ("alpha", "beta", "gamma", "delta")
STATEMENTS = (
    "x = 1  # one",
    "y = [a, b]",
    "log('start')",
    "if a:\n    log(a)\n    b = 2",
    "for item in items:\n    total += item",
    "with lock:\n    log(b)",
    "try:\n    run(a)\nexcept OSError:\n    log('no')",
    "return x",
)


def render(functions: list[tuple[str, tuple[str, ...], tuple[str, ...]]]) -> bytes:
    """A module of functions: name, parameters, statements."""
    out = ['"""A module."""\n', "import os\n"]
    for name, parameters, body in functions:
        lines = [line for statement in body or ("pass",) for line in statement.split("\n")]
        out.append(f"\n\n# about {name}\ndef {name}({', '.join(parameters)}):\n" + "".join(f"    {x}\n" for x in lines))
    return "".join(out).encode()


parameters = st.lists(st.sampled_from(["a", "b=1", "c=None", "d='x'"]), unique=True, max_size=4).map(
    lambda some: tuple(sorted(some, key=lambda p: "=" in p))
)
bodies = st.lists(st.sampled_from(STATEMENTS), unique=True, max_size=5).map(tuple)
functions = st.tuples(parameters, bodies)
modules = st.lists(functions, min_size=1, max_size=4).map(
    lambda some: [(name, *rest) for name, rest in zip(NAMES, some, strict=False)]
)


@st.composite
def edited(draw: st.DrawFn, module: list[tuple[str, tuple[str, ...], tuple[str, ...]]]) -> bytes:
    """The module after some edits: functions go, come, or get other parameters and statements."""
    out = []
    for name, old_parameters, old_body in module:
        match draw(st.sampled_from(["same", "same", "parameters", "insert", "remove", "wrap", "gone"])):
            case "same":
                out.append((name, old_parameters, old_body))
            case "parameters":
                out.append((name, draw(parameters), old_body))
            case "insert":
                place = draw(st.integers(0, len(old_body)))
                extra = draw(st.sampled_from(["log('more')", "z = 3", "if z:\n    stop()"]))
                out.append((name, old_parameters, (*old_body[:place], extra, *old_body[place:])))
            case "remove":
                out.append((name, old_parameters, old_body[1:]))
            case "wrap":
                inner = "\n".join(old_body or ("pass",)).replace("\n", "\n    ")
                out.append((name, old_parameters, (f"with guard:\n    {inner}",)))
    if draw(st.booleans()):
        out.append((draw(st.sampled_from(["epsilon", "zeta"])), draw(parameters), draw(bodies)))
    return render(out)


@st.composite
def triples(draw: st.DrawFn) -> tuple[bytes, bytes, bytes]:
    module = draw(modules)
    return render(module), draw(edited(module)), draw(edited(module))


@given(triples())
@settings(max_examples=150, deadline=None)
def test_merging_with_an_unchanged_side_gives_the_other(three: tuple[bytes, bytes, bytes]) -> None:
    """Byte for byte, whichever side it is."""
    base, ours, _ = three
    assert [c.data for c in merge_sources(base, ours, base).candidates] == [ours]
    assert [c.data for c in merge_sources(base, base, ours).candidates] == [ours]


def _render_delta(parameters: str) -> bytes:
    return f'"""A module."""\n\n\ndef delta({parameters}):\n    pass\n'.encode()


# Both added the same two parameters, each in its own order: neither order is the merge's to choose.
@example((_render_delta(""), _render_delta("a, b=1, c=None"), _render_delta("a, c=None, b=1")))
@given(triples())
@settings(max_examples=200, deadline=None)
def test_both_orders_of_the_sides_give_the_same_candidates(three: tuple[bytes, bytes, bytes]) -> None:
    """What comes first is a matter of order among candidates, never of whether there are any."""
    base, ours, theirs = three
    forth, back = merge_sources(base, ours, theirs), merge_sources(base, theirs, ours)
    assert bool(forth.conflicts) == bool(back.conflicts)
    if len(forth.candidates) < MAX_CANDIDATES and len(back.candidates) < MAX_CANDIDATES:
        assert {c.data for c in forth.candidates} == {c.data for c in back.candidates}


@given(triples())
@settings(max_examples=200, deadline=None)
def test_nothing_outside_of_what_a_side_touched_changes(three: tuple[bytes, bytes, bytes]) -> None:
    """A function that a side left alone stands in every candidate as the other side has it, or as both have it."""
    base, ours, theirs = three
    for candidate in merge_sources(base, ours, theirs).candidates:
        texts = [pieces_of(text) for text in (base, ours, theirs, candidate.data)]
        for name, text in texts[0].items():
            mine, other = texts[1].get(name), texts[2].get(name)
            if mine == text:
                assert texts[3].get(name) == other
            elif other == text:
                assert texts[3].get(name) == mine


@given(triples())
@settings(max_examples=100, deadline=None)
def test_a_candidate_that_holds_every_promise_has_the_definitions_of_both(three: tuple[bytes, bytes, bytes]) -> None:
    """What is not removed by a side is there once."""
    base, ours, theirs = three
    for candidate in merge_sources(base, ours, theirs).candidates:
        if broken_promises(base, ours, theirs, candidate.data):
            continue
        old, mine, other, now = (definitions_of(text) for text in (base, ours, theirs, candidate.data))
        expected = {n for n in {*mine, *other} if not (n in old and (n not in mine or n not in other))}
        assert sorted(now) == sorted(expected)


def pieces_of(text: bytes) -> dict[str, str]:
    """Each function as it is written."""
    tree = ast.parse(text)
    return {n.name: ast.get_source_segment(text.decode(), n) or "" for n in tree.body if isinstance(n, ast.FunctionDef)}


def definitions_of(text: bytes) -> list[str]:
    return [n.name for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)]
