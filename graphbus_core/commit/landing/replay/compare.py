"""Whether new code of a side does in the merged tree what it did on its side, for all inputs that could be found.

The text says that something changed under the code. Tests may not run it. So it is run here: on the tests' values and
on their neighbours, in both trees. Equal is not proved, but tested, and only where the inputs show something: every
statement of the code ran, so did every changed statement that it reaches, and its results were not all one.
"""

from __future__ import annotations

import ast
import base64
import json
import math
import secrets
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.commit.landing.interference import Interference
from graphbus_core.editing.scope import is_test_file

WITNESS = "run on both, "  # how a text begins that tells an input with another result
MIN_RETURNED = 5  # inputs on which the code gave a result
MAX_LITERALS = 150
MAX_TESTS = 20  # files of tests whose calls are looked at
Function = ast.FunctionDef | ast.AsyncFunctionDef
Run = Callable[[str, Mapping[str, Any]], list[Mapping[str, Any]]]
"""Run an order of the driver on a tree; raises OSError where no answer came."""


@dataclass(frozen=True)
class Trees:
    """The texts that matter: of the side that wrote the code, and merged. Each with the name of its tree."""

    side: str
    merged: str
    of_side: Mapping[str, bytes]
    of_merged: Mapping[str, bytes]


class Replay:
    """Asks findings of one side. What it can say of each: nothing (as before), or why it stands."""

    def __init__(self, trees: Trees, run: Run) -> None:
        self.trees, self.run = trees, run
        self.side = {path: _parse(text) for path, text in trees.of_side.items() if path.endswith(".py")}
        self.merged = {path: _parse(text) for path, text in trees.of_merged.items() if path.endswith(".py")}
        self.calls = 0  # that were compared

    def judge(self, findings: Sequence[Interference]) -> dict[Interference, str]:
        """Each finding, and why it stands; an empty text where the code does as before."""
        readers = {(f.path, f.scope): [g for g in findings if (g.path, g.scope) == (f.path, f.scope)] for f in findings}
        can_run = {
            key: group for key, group in readers.items() if self._is_same_text(*key) and all(g.calls for g in group)
        }
        out = dict.fromkeys(findings, "it could not be run by itself")
        if not can_run:
            return out
        wanted = [
            {"path": path, "name": name, "then": sorted({end for f in group for _, end in f.soft if end != name})}
            for (path, name), group in can_run.items()
        ]
        order = {"functions": wanted, "watched": self._list_watched(can_run), "tests": self._list_tests(can_run),
                 "literals": self._list_literals(), "record": True}  # fmt: skip
        try:
            before = self.run(self.trees.side, order)
            repeated = [{**w, "inputs": b.get("calls", ())} for w, b in zip(wanted, before, strict=True)]
            now = self.run(self.trees.merged, {**order, "functions": repeated, "record": False})
        except OSError as e:
            return dict.fromkeys(findings, f"it could not be run by itself: {e}")
        for group, old, new in zip(can_run.values(), before, now, strict=True):
            for finding in group:
                out[finding] = self._hold(finding, old, new)
        return out

    def _is_same_text(self, path: str, name: str) -> bool:
        """Whether both trees have the function, with one and the same text."""
        before, now = (find_function(trees.get(path), name) for trees in (self.side, self.merged))
        return before is not None and now is not None and ast.dump(before) == ast.dump(now)

    def _list_changed(self) -> list[str]:
        """The files of code that are not as the side has them."""
        return [
            path for path, text in self.trees.of_merged.items()
            if path.endswith(".py") and not is_test_file(path) and text != self.trees.of_side.get(path)
        ]  # fmt: skip

    def _list_watched(self, readers: Mapping[tuple[str, str], Sequence[Interference]]) -> list[str]:
        behind = [f.behind[0] for group in readers.values() for f in group if f.behind]
        return sorted({*self._list_changed(), *behind, *(path for path, _ in readers)})

    def _list_tests(self, readers: Mapping[tuple[str, str], Sequence[Interference]]) -> list[str]:
        """The files of tests that speak of what matters here; all where there are few."""
        tests = [path for path in self.trees.of_side if path.endswith(".py") and is_test_file(path)]
        if len(tests) <= MAX_TESTS:
            return tests
        words = {f.behind[1].rpartition(".")[2].encode() for group in readers.values() for f in group if f.behind}
        words |= {name.rpartition(".")[2].encode() for _, name in readers}
        return [path for path in tests if any(word in self.trees.of_side[path] for word in words)][:MAX_TESTS]

    def _list_literals(self) -> list[Any]:
        """What stands in the code and the tests of either tree: the borders of their conditions are among it."""
        found: dict[Any, None] = {}
        for trees in (self.side, self.merged):
            for tree in trees.values():
                for node in ast.walk(tree) if tree else ():
                    if isinstance(node, ast.Constant) and type(node.value) in (int, float, str):
                        value = node.value
                        if len(str(value)) <= 60:
                            found[value] = None
        return list(found)[:MAX_LITERALS]

    def _hold(self, finding: Interference, old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
        """Why a finding stands, by what was seen on both sides."""
        if "failed" in new or "failed" in old:
            return f"it could not be run by itself: {new.get('failed') or old.get('failed')}"
        pairs = list(zip(old["calls"], new["calls"], strict=True))
        for before, now in pairs:
            if not is_as_before(_observe(before["seen"]), _observe(now["seen"])):
                return _tell(finding, before, now)
        returned = [_observe(c["seen"]) for c in old["calls"] if c["seen"]["end"] == "returned"]
        shown = {json.dumps(seen, sort_keys=True) for seen in returned}
        nothing = json.dumps(_observe({"end": "returned", "what": ["v", None], "then": []}), sort_keys=True)
        can_vary = any(_has_plain([c["me"], *c["given"].values()]) for c in old["calls"])
        if len(returned) < (MIN_RETURNED if can_vary else 1) or shown <= {nothing}:
            return "no input was found on which it shows what it does"
        if can_vary and len(shown) < 2:
            return "whatever it was given, it gave the same"
        self.calls += len(pairs)
        return self._find_unseen(finding, old, new)

    def _find_unseen(self, finding: Interference, old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
        """A statement that no input ran: of the code, or a changed one that it reaches."""
        ran_before, ran_now = _list_ran(old), _list_ran(new)
        two = [find_function(trees[finding.path], finding.scope) for trees in (self.side, self.merged)]
        assert two[0] is not None
        assert two[1] is not None
        for before, now in zip(list_statements(two[0]), list_statements(two[1]), strict=True):
            if not (_runs(before, finding.path, ran_before) or _runs(now, finding.path, ran_now)):
                return f"no input was found that runs line {before[0]} of it"
        for path in self._list_changed():
            for name, node in iter_functions(self.merged.get(path)):
                statements = list_statements(node)
                is_entered = any(_runs(statement, path, ran_now) for statement in statements)
                if not is_entered:
                    if (path, name) in ({finding.behind} | set(finding.soft)):
                        return f"no input was found for which it comes to {name}"
                    continue
                known = Counter(
                    _list_lines(self.trees.of_side.get(path, b""), find_function(self.side.get(path), name))
                )
                for statement in statements:
                    if _is_new(statement, self.trees.of_merged[path], known) and not _runs(statement, path, ran_now):
                        return f"no input was found that runs {path}:{statement[0]}"
        return ""


def _has_plain(recipe: Any) -> bool:
    """Whether a value stands in a recipe that could be another."""
    if isinstance(recipe, dict):
        return any(map(_has_plain, recipe.values()))
    if not isinstance(recipe, list) or not recipe:
        return False
    return recipe[0] in ("v", "b", "p") or any(map(_has_plain, recipe))


def _observe(seen: Mapping[str, Any]) -> dict[str, Any]:
    return {k: seen.get(k) for k in ("end", "what", "then", "after", "changed", "state", "said") if seen.get(k)}


def is_as_before(before: Any, now: Any) -> bool:
    """Whether what was seen before is seen now; numbers may differ in their last digits, objects may have more."""
    if isinstance(before, dict) and isinstance(now, dict):
        return all(key in now and is_as_before(value, now[key]) for key, value in before.items()) and (
            "end" not in before or before.keys() == now.keys()
        )
    if isinstance(before, list) and isinstance(now, list):
        return len(before) == len(now) and all(is_as_before(b, n) for b, n in zip(before, now, strict=True))
    if isinstance(before, bool) or isinstance(now, bool) or isinstance(before, str) or isinstance(now, str):
        return type(before) is type(now) and before == now
    if isinstance(before, int | float) and isinstance(now, int | float):
        return before == now or math.isclose(before, now, rel_tol=1e-9)
    return bool(before == now)


def find_function(tree: ast.Module | None, name: str) -> Function | None:
    return dict(iter_functions(tree)).get(name)


def iter_functions(tree: ast.Module | None) -> Iterator[tuple[str, Function]]:
    """The functions of a module and the methods of its classes, by name; not those within functions."""
    for node in tree.body if tree else ():
        if isinstance(node, Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, Function):
                    yield f"{node.name}.{inner.name}", inner


def list_statements(function: Function) -> list[tuple[int, int]]:
    """The first and last line of each statement that does something; of one with a body, of its head."""
    found = []
    for node in ast.walk(function):
        if node is function or not isinstance(node, ast.stmt) or isinstance(node, ast.Pass | ast.Global | ast.Nonlocal):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Try | ast.TryStar):
            continue  # its head is no code
        body = getattr(node, "body", None)
        last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
        found.append((node.lineno, max(node.lineno, last)))
    return found


def _runs(statement: tuple[int, int], path: str, ran: set[tuple[str, int]]) -> bool:
    return any((path, line) in ran for line in range(statement[0], statement[1] + 1))


def _list_ran(answer: Mapping[str, Any]) -> set[tuple[str, int]]:
    return {(path, line) for call in answer["calls"] for path, line in call["seen"]["lines"]}


def _list_lines(text: bytes, node: Function | None) -> list[bytes]:
    lines = text.splitlines()
    return [line.strip() for line in lines[node.lineno - 1 : node.end_lineno]] if node is not None else []


def _is_new(statement: tuple[int, int], text: bytes, known: Counter[bytes]) -> bool:
    return any(known[line.strip()] == 0 for line in text.splitlines()[statement[0] - 1 : statement[1]])


def _parse(text: bytes) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _tell(finding: Interference, before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """The input that tells the two apart."""
    given = ", ".join(f"{name}={spell(recipe)}" for name, recipe in before["given"].items())
    name = finding.scope.rpartition(".")[2]
    was, is_now = (_spell_end(call["seen"]) for call in (before, now))
    if was == is_now:
        return f"{WITNESS}{name}({given}) leaves behind something else than on its side"
    return f"{WITNESS}{name}({given}) {was} on its side, and now {is_now}"


def _spell_end(seen: Mapping[str, Any]) -> str:
    what = seen["what"]
    if seen["end"] == "raised":
        return f"raises {what[0]}"
    return f"gives {_spell_dump(what)}"[:100] if seen["end"] == "returned" else "comes to no end"


def _spell_dump(what: Any) -> str:
    match what:
        case ["v", value]:
            return repr(value)
        case ["list" | "tuple", items, _]:
            return f"[{', '.join(map(_spell_dump, items))}]"
        case ["dict", items]:
            return "{" + ", ".join(f"{_spell_dump(k)}: {_spell_dump(v)}" for k, v in items) + "}"
        case ["object", name, _]:
            return f"a {name}"
        case [kind, *_]:
            return f"a value ({kind})"
    return str(what)


def spell(recipe: Sequence[Any]) -> str:
    """A recipe, as somebody would write it."""
    match recipe:
        case ["v", value]:
            return repr(value)
        case ["l" | "t" | "s" | "f", items]:
            return f"[{', '.join(map(spell, items))}]"
        case ["d", items]:
            return "{" + ", ".join(f"{spell(k)}: {spell(v)}" for k, v in items) + "}"
        case ["n", _, name, given, named, calls]:
            inner = ", ".join([*map(spell, given), *(f"{k}={spell(v)}" for k, v in named.items())])
            return f"{name}({inner})" + "".join(f".{method}(...)" for method, *_ in calls)
        case ["g", _, name]:
            return str(name)
    return "..."


def make_mark() -> str:
    """What an answer is known by; the code that runs is not told before."""
    return f"graphbus replay {secrets.token_hex(8)}"


def read_answer(output: str, mark: str) -> list[Mapping[str, Any]]:
    """The answer in the output of a run. Raises OSError where there is none."""
    for line in reversed(output.splitlines()):
        if line.startswith(f"{mark} "):
            try:
                answers = json.loads(zlib.decompress(base64.b85decode(line.removeprefix(f"{mark} "))))
            except (ValueError, zlib.error) as e:
                raise OSError(f"the run told something unreadable: {e}") from e
            return list(answers)
    last = [line for line in output.strip().splitlines() if line.strip()][-1:]
    raise OSError(last[0][:300] if last else "the run told nothing")
