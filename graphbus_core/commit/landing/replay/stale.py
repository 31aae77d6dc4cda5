"""New code that still tells what it was told before the other side's step; see `steps.py` for how that is run. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from graphbus_core.commit.landing.replay.compare import Run, Trees, Witness, find_function, iter_functions, spell_dump
from graphbus_core.commit.landing.replay.steps import MAX_STEPS, WAYS
from graphbus_core.commit.landing.replay.variants import MARK
from graphbus_core.commit.landing.replay.varied import build_order, find_parting, list_scopes
from graphbus_core.commit.landing.texts import parse
from graphbus_core.editing.scope import is_test_file


def find_stale_code(
    trees: Trees, run: Run, tests: Mapping[str, Sequence[str]], order: Mapping[str, Any]
) -> list[Witness]:
    """Where tests (by file) of a side show that its new code keeps what the other side changes. Raises OSError."""
    witnesses: list[Witness] = []
    for step in list_steps(trees):
        whole = build_order(trees, trees.of_side, tests, order)
        (seen_now,) = run(trees.merged, {**whole, "steps": [step], "rehearse": 1})
        witnesses += find_stale(seen_now, f"{step[0]}.{step[1]}")
    return witnesses


def list_steps(trees: Trees) -> list[list[str]]:
    """Class, method and arguments of the calls that tests of the merged tree make of methods that the side's classes do
    not have."""
    owner_of: dict[str, str] = {}
    for path, text in trees.of_merged.items():
        old = parse(trees.of_side.get(path, b""))
        if path.endswith(".py") and not is_test_file(path) and old is not None:
            known = {node.name for node in old.body if isinstance(node, ast.ClassDef)}
            for name, _ in iter_functions(parse(text)):
                owner, _, method = name.rpartition(".")
                if owner in known and not method.startswith("_") and find_function(old, name) is None:
                    owner_of[method] = owner
    return list(islice(_iter_calls(trees, owner_of), MAX_STEPS)) if owner_of else []


def _iter_calls(trees: Trees, owner_of: Mapping[str, str]) -> Iterator[list[str]]:
    known: set[tuple[str, str]] = set()
    for path, text in trees.of_merged.items():
        tree = parse(text) if path.endswith(".py") and is_test_file(path) else None
        for node in ast.walk(tree) if tree else ():
            match node:
                case ast.Expr(value=ast.Call(func=ast.Attribute(attr=method), args=args, keywords=[])):
                    words = "".join(f"{ast.unparse(argument)}, " for argument in args)
                    is_plain = all(isinstance(argument, ast.Constant) for argument in args)
                    if method in owner_of and is_plain and (method, words) not in known:
                        known.add((method, words))
                        yield [owner_of[method], method, words]


def find_stale(told: Mapping[str, Mapping[str, Any]], step: str) -> list[Witness]:
    """The tests that tell the old thing after a step, where somebody looked before it."""
    by_test: dict[str, dict[int, Mapping[str, Any]]] = {}
    for name, seen in told.items():
        test, _, number = name.partition(MARK)
        if number.isdecimal():
            by_test.setdefault(test, {})[int(number)] = seen
    witnesses = []
    for test, ways in by_test.items():
        for first in range(0, len(ways), len(WAYS)):
            four = [ways.get(first + i) for i in range(len(WAYS))]
            if None not in four and all(way is not None and way["end"] == "passed" for way in four):
                once, twice, stepped, both = (list(way["seen"]) for way in four if way is not None)
                count = len(once)
                look = next((i for i in range(count) if len(twice) == len(both) == 2 * count and len(stepped) == count
                             and once[i] == twice[count + i] == both[count + i] != stepped[i]), None)  # fmt: skip
                if look is not None and four[2] is not None and four[3] is not None:
                    what = f"after {step} it sees {spell_dump(stepped[look])}, but where somebody looked before, still "
                    what += spell_dump(once[look])
                    witnesses.append(
                        Witness(test, what[:300], frozenset(list_scopes(four[3])), find_parting(four[2], four[3]))
                    )
    return witnesses
