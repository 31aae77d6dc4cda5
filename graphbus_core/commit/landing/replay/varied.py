"""Whether variants of a side's own tests see in the merged tree what they see on its side.

A test shows what its author looks at. Where its variants see another thing in the merged tree, though the test as it
is written does not, nobody has looked at what the other side changed. Where the test itself sees it, and passes,
somebody has.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphbus_core.commit.landing.replay.compare import (
    MAX_LITERALS,
    MAX_TESTS,
    Lines,
    Place,
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
from graphbus_core.commit.landing.replay.exchange import Passage, pair_products
from graphbus_core.commit.landing.replay.makers import list_makers
from graphbus_core.commit.landing.replay.variants import MARK
from graphbus_core.commit.landing.texts import list_literals, parse
from graphbus_core.editing.scope import is_test_file

MAX_BYTES = 60
TOO_LONG = "_TookTooLong"  # the end of a variant that came to none


def run_variants(
    trees: Trees, run: Run, tests: Mapping[str, Sequence[str]], order: Mapping[str, Any], can_meet: bool
) -> Rehearsed:
    """Run variants of tests (by file) on both trees. `order`: `scopes`, `watched` files, and `producing`: the files of
    tests that come to what the other side changed. `can_meet`: the code does, too; otherwise only what the project
    makes there may come to it. Raises OSError."""
    whole = build_order(trees, trees.of_side, tests, order)
    producing = {"produce": {path: trees.of_side[path].decode() for path in order["producing"][:MAX_TESTS]}}
    *varied, products_before = run(trees.side, {**whole, **producing, "rehearse": 2 * can_meet})
    *varied_now, products_now = run(trees.merged, {**whole, **producing, "rehearse": int(can_meet)})
    out = Rehearsed()
    if can_meet:
        _compare_all(out, varied[0], varied[1], varied_now[0])
    products = pair_products(products_before, products_now) if products_before and products_now else []
    if products:
        is_sharing = any(kind == "shared" for kind, *_ in products)
        old = [[kind, before, before] for kind, before, _ in products]
        first, second = run(trees.side, {**whole, "products": old, "rehearse": 2})
        (now,) = run(trees.merged, {**whole, "products": products, "is_sharing": is_sharing, "rehearse": 1})
        known = len(out.witnesses)
        _compare_all(out, first, second, now, Passage(products))
        parts = {before[1] for kind, before, _ in products if kind == "shared"}
        out.witnesses[known:] = [
            w if w.at else replace(w, at=_find_reader(trees.of_merged, w.scopes, parts)) for w in out.witnesses[known:]
        ]
    return out


def _find_reader(texts: Mapping[str, bytes], scopes: Iterable[Scope], parts: Collection[str]) -> Place | None:
    """Where one of some functions reads an attribute."""
    for path, name in sorted(scopes):
        function = dict(iter_functions(parse(texts.get(path, b"")))).get(name)
        for node in ast.walk(function) if function else ():
            if isinstance(node, ast.Attribute) and node.attr in parts:
                return path, name, node.lineno
    return None


def _compare_all(
    out: Rehearsed,
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    now: Mapping[str, Any],
    passage: Passage | None = None,
) -> None:
    """Take up what came of variants that were run twice on the side, and once on the merged tree."""
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
        differing = {i for i in list_differing(before, after) if not _came_through(passage, before, after, i)}
        if number.partition("[")[0] == "0":
            looked[name_test(name)] = differing
            if differing and before["end"] == after["end"] == "passed":
                out.observed |= set(list_scopes(after))
        elif differing - looked.get(name_test(name), set()) and not (after["barred"] and not before["barred"]):
            scopes = frozenset([*list_scopes(before), *list_scopes(after)])
            if scopes:  # some of the new code ran
                what = tell_look(
                    "it sees {} on its side, and now {}", "it {} on its side, and now {}", before, after, min(differing)
                )
                if passage is not None:
                    what = f"with what the project makes in the place of what the test does, {what}"
                out.witnesses.append(Witness(test, what, scopes, find_parting(before, after)))


def find_parting(before: Mapping[str, Any], after: Mapping[str, Any]) -> Place | None:
    """Where new code first took another road, or gave something else: the file, the function and the line."""
    last: Place | None = None
    for was, is_now in zip(before["course"], after["course"], strict=False):
        path, name, line, *gave = is_now
        if was[:2] != is_now[:2] or len(was) != len(is_now):
            return last
        if not gave and was[2] != line:
            return last or (path, name, line)
        last = (path, name, line)
        if gave and not is_as_before(was[3], gave[0]):
            return last
    return None


def _came_through(passage: Passage | None, before: Mapping[str, Any], after: Mapping[str, Any], look: int) -> bool:
    """Whether a look shows only what each tree was given."""
    return passage is not None and look >= 0 and passage.came_through(before["seen"][look], after["seen"][look])


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


def tell_look(seen: str, ended: str, before: Mapping[str, Any], after: Mapping[str, Any], look: int) -> str:
    """What two trees show at one look, or at the end, in the words for each; both have two gaps."""
    if look >= 0:
        return seen.format(spell_dump(before["seen"][look]), spell_dump(after["seen"][look]))[:200]
    return ended.format(
        *("passes" if told["end"] == "passed" else f"ends with {told['end']}" for told in (before, after))
    )
