"""Whether variants of a side's own tests see in the merged tree what they see on its side.

A test shows what its author looks at. Where its variants see another thing in the merged tree, though the test as it
is written does not, nobody has looked at what the other side changed. Where the test itself sees it, and passes,
somebody has.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.commit.landing.replay.compare import (
    MAX_LITERALS,
    Lines,
    Rehearsed,
    Run,
    Scope,
    Trees,
    Witness,
    find_first_literals,
    find_sizes,
    is_as_before,
    iter_functions,
    spell_dump,
)
from graphbus_core.commit.landing.replay.makers import list_makers
from graphbus_core.commit.landing.replay.variants import MARK
from graphbus_core.commit.landing.texts import list_literals, parse
from graphbus_core.editing.scope import is_test_file

MAX_BYTES = 60
TOO_LONG = "_TookTooLong"  # the end of a variant that came to none


def run_variants(trees: Trees, run: Run, tests: Mapping[str, Sequence[str]], order: Mapping[str, Any]) -> Rehearsed:
    """Run variants of tests (by file) on both trees. `order`: `scopes` and `watched` files. Raises OSError."""
    whole = build_order(trees, trees.of_side, tests, order)
    first, second = run(trees.side, {**whole, "rehearse": 2})
    (now,) = run(trees.merged, {**whole, "rehearse": 1})
    out = Rehearsed()
    looked: dict[str, set[int]] = {}  # of the test as it is written: the looks that are not as before
    for name, before in first.items():
        test, _, number = name.partition(MARK)
        after = now.get(name)
        if after is None or not is_same(before, second.get(name)):
            continue
        out.variants += 1
        _add_lines(out.before, before)
        _add_lines(out.now, after)
        for scope in list_scopes(after):
            out.around.setdefault(scope, set()).update((file, line) for file, line in after["around"])
        for scope in set(list_scopes(before)) & set(list_scopes(after)):
            gave = [told["yielded"].get("::".join(scope), []) for told in (before, after)]
            out.yielded.setdefault(scope, []).append((gave[0], gave[1]))
        differing = list_differing(before, after)
        if number.partition("[")[0] == "0":
            looked[name_test(name)] = differing
            if differing and before["end"] == after["end"] == "passed":
                out.observed |= set(list_scopes(after))
        elif differing - looked.get(name_test(name), set()) and not (after["barred"] and not before["barred"]):
            scopes = frozenset([*list_scopes(before), *list_scopes(after)])
            if scopes:  # some of the new code ran
                out.witnesses.append(Witness(test, _tell(before, after, min(differing)), scopes))
    return out


def build_order(
    trees: Trees, written: Mapping[str, bytes], tests: Mapping[str, Sequence[str]], order: Mapping[str, Any]
) -> dict[str, Any]:
    """All that the runs of variants of some tests are told. `written`: the tree that has the tests."""
    values = {"literals": find_first_literals(trees), "bytes": _list_bytes(trees), "sizes": find_sizes(trees),
              "defaults": _list_defaults(trees), "makers": list_makers(trees.of_side)}  # fmt: skip
    return {**order, **values, "texts": {path: written[path].decode() for path in tests}, "tests": tests}


def _list_bytes(trees: Trees) -> list[str]:
    """The literal bytes of a side, as they can be sent."""
    literals: dict[str, None] = {}
    for path, text in trees.of_side.items():
        for value in list_literals(text) if path.endswith(".py") else ():
            if isinstance(value, bytes) and len(value) <= MAX_BYTES:
                literals[value.hex()] = None
    return list(literals)[:MAX_LITERALS]


def _list_defaults(trees: Trees) -> dict[str, list[tuple[str, Any]]]:
    """The parameters of a side's functions and, where it is a constant, what each is where a call does not give it."""
    defaults_of: dict[str, list[tuple[str, Any]]] = {}
    for path, text in trees.of_side.items():
        for name, node in iter_functions(parse(text)) if path.endswith(".py") and not is_test_file(path) else ():
            parameters = [*node.args.posonlyargs, *node.args.args]
            defaults = [*[None] * (len(parameters) - len(node.args.defaults)), *node.args.defaults]
            pairs = [*zip(parameters, defaults, strict=True),
                     *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)]  # fmt: skip
            skip = "." in name and bool(parameters) and parameters[0].arg in ("self", "cls")
            callee = name.removesuffix(".__init__").rpartition(".")[2]
            defaults_of[callee] = [(a.arg, [d.value] if isinstance(d, ast.Constant) and _is_plain(d.value) else [])
                             for a, d in pairs[skip:]]  # fmt: skip
    return {name: parameters for name, parameters in defaults_of.items() if any(value for _, value in parameters)}


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


def name_test(name: str) -> str:
    """The test of a variant, with its parameters."""
    head, _, tail = name.partition(MARK)
    return head + tail.lstrip("0123456789")


def is_same(first: Mapping[str, Any], second: Mapping[str, Any] | None) -> bool:
    return second is not None and first["end"] == second["end"] and first["seen"] == second["seen"]


def list_differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[int]:
    """The looks that are not as before; -1 for the end. One that broke, by what nobody meant, shows none."""
    pairs = enumerate(zip(before["seen"], after["seen"], strict=False))
    differing = {i for i, (old, new) in pairs if not is_as_before(old, new)}
    is_end = not before["broke"] or after["end"] == TOO_LONG
    if is_end and (before["end"] != after["end"] or len(before["seen"]) != len(after["seen"])):
        differing.add(-1)
    return differing


def list_scopes(told: Mapping[str, Any]) -> list[Scope]:
    return [(path, name) for path, _, name in (scope.partition("::") for scope in told["lines"])]


def _add_lines(lines: dict[Scope, Lines], told: Mapping[str, Any]) -> None:
    for text, ran in told["lines"].items():
        path, _, name = text.partition("::")
        lines.setdefault((path, name), set()).update((file, line) for file, line in ran)


def _tell(before: Mapping[str, Any], after: Mapping[str, Any], look: int) -> str:
    if look >= 0:
        return f"it sees {spell_dump(before['seen'][look])} on its side, and now {spell_dump(after['seen'][look])}"[
            :200
        ]
    was, is_now = ("passes" if t["end"] == "passed" else f"ends with {t['end']}" for t in (before, after))
    return f"it {was} on its side, and now {is_now}"
