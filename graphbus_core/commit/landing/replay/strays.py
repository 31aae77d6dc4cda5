"""New code that does something else in the merged tree, though no question was asked of it.

The text of a use tells what it means only where it tells what stands before the dot. What is handed over, made by
somebody else or kept in an attribute, it does not. So all new code of a side is run, on both trees, and a difference
speaks for itself. That there is none proves nothing here: nothing was asked.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.commit.landing.replay.compare import (
    MAX_TESTS,
    WITNESS,
    Pair,
    Replay,
    Scope,
    Trees,
    does_as_before,
    find_function,
    is_as_before,
    tell_call,
)
from graphbus_core.editing.scope import is_test_file

MAX_FUNCTIONS = 16  # of one side
ENOUGH = 20  # inputs of each


@dataclass(frozen=True)
class Stray:
    """A function that does something else, the line at which that came into it, and the input that tells."""

    scope: Scope
    line: int
    what: str


def find_strays(replay: Replay, scopes: Sequence[Scope]) -> list[Stray]:
    """Those of some functions that do something else on an input that the side's tests led to. Raises OSError."""
    known = [scope for scope in scopes if replay.is_same_text(*scope) and not _is_called_by_python(scope[1])]
    known = known[:MAX_FUNCTIONS]
    if not known or not replay.list_changed():
        return []
    wanted = [{"path": path, "name": name, "then": []} for path, name in known]
    tests = [path for path in replay.trees.of_side if path.endswith(".py") and is_test_file(path)][:MAX_TESTS]
    watched = sorted({*replay.list_changed(), *(path for path, _ in known)})
    strays = []
    for scope, (old, new) in zip(known, replay.run_both(wanted, watched, tests, enough=ENOUGH), strict=True):
        pairs = replay.pair_calls(old, new)
        differing = [
            pair for pair in pairs
            if not does_as_before(*(_leave_state(call["seen"]) for call in pair)) and not _is_let_in(replay.trees, pair)
        ]  # fmt: skip
        if differing:
            line = _find_line(replay.merged.get(scope[0]), scope, differing)
            strays.append(Stray(scope, line, f"{WITNESS}{tell_call(scope[1].rpartition('.')[2], *differing[0])}"))
    return strays


def _is_called_by_python(name: str) -> bool:
    """Whether only Python calls a method, as a hash: what it gives shows in what its callers do."""
    last = name.rpartition(".")[2]
    return last.startswith("__") and last.endswith("__") and last not in ("__init__", "__call__")


def _leave_state(seen: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was seen of a call, but for what it left in modules: there, both sides leave what is theirs."""
    return {name: what for name, what in seen.items() if name != "state"}


def _is_let_in(trees: Trees, pair: Pair) -> bool:
    """Whether an input that was refused is not any more, though the line that refused it stands: the other side made it
    fit. Where the line is gone, somebody may have counted on it."""
    before, now = (call["seen"] for call in pair)
    if before["end"] != "raised" or now["end"] != "returned":
        return False
    path, number = before["raised_at"]
    texts = [[line.strip() for line in of.get(path, b"").splitlines()] for of in (trees.of_side, trees.of_merged)]
    line = texts[0][number - 1] if 0 < number <= len(texts[0]) else b""
    return bool(line) and texts[1].count(line) >= texts[0].count(line)


def _find_line(tree: ast.Module | None, scope: Scope, pairs: Sequence[Pair]) -> int:
    """Where something else came into a function: at the first call that gave it another thing; else at its head."""
    function = find_function(tree, scope[1])
    for before, now in pairs:
        for was, is_now in zip(_list_places(before), _list_places(now), strict=False):
            if not is_as_before(was[1], is_now[1]):
                return int(is_now[0])
    return function.lineno if function is not None else 1


def _list_places(call: Mapping[str, Any]) -> Sequence[Any]:
    return call["seen"].get("places") or ()
