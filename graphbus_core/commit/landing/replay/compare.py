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
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.commit.landing.interference import Interference
from graphbus_core.commit.landing.replay.effects import find_lost_effect
from graphbus_core.commit.landing.replay.infection import shows_change
from graphbus_core.commit.landing.texts import list_literals, parse
from graphbus_core.editing.scope import is_test_file

WITNESS = "run on both, "  # how a text begins that tells an input with another result
MIN_RETURNED = 5  # inputs on which the code gave a result
MAX_LITERALS = 150
MAX_LENGTH = 60  # of a literal
MAX_SIZE = 200  # of a list that is made to be too long
MAX_TESTS = 20  # files of tests whose calls are looked at
ENOUGH = 30  # inputs that a function works on
SEARCHES = 2  # for inputs on which the change shows
UNSHOWN = "no input was found for which what was changed comes to something else"
Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = tuple[str, str]  # file, function
Place = tuple[str, str, int]  # file, function, line
Lines = set[tuple[str, int]]
Pair = tuple[Mapping[str, Any], Mapping[str, Any]]  # one call on the side, and in the merged tree
Run = Callable[[str, Mapping[str, Any]], list[Mapping[str, Any]]]
"""Run an order of the driver on a tree; raises OSError where no answer came."""


@dataclass(frozen=True)
class Witness:
    """A variant of a test that sees another thing in the merged tree, and the new code that it ran."""

    test: str
    what: str
    scopes: frozenset[Scope]
    at: Place | None = None  # where new code first gave something else


@dataclass
class Rehearsed:
    """What came of variants of tests: where they differ, and the lines that they ran below each new function."""

    witnesses: list[Witness] = field(default_factory=list)
    before: dict[Scope, Lines] = field(default_factory=dict)
    now: dict[Scope, Lines] = field(default_factory=dict)
    around: dict[Scope, Lines] = field(default_factory=dict)  # all that ran where such a function did
    observed: set[Scope] = field(default_factory=set)  # a test as it is written sees the change below it, and passes
    yielded: dict[Scope, list[tuple[Any, Any]]] = field(default_factory=dict)  # what functions below gave, on both
    variants: int = 0


@dataclass(frozen=True)
class Trees:
    """The texts that matter: of the side that wrote the code, and merged. Each with the name of its tree."""

    side: str
    merged: str
    of_side: Mapping[str, bytes]
    of_merged: Mapping[str, bytes]


class Replay:
    """Asks findings of one side. What it can say of each: nothing (as before), or why it stands."""

    def __init__(self, trees: Trees, run: Run, rehearsed: Rehearsed | None = None) -> None:
        self.trees, self.run = trees, run
        self.rehearsed = rehearsed or Rehearsed()
        self.side = {path: parse(text) for path, text in trees.of_side.items() if path.endswith(".py")}
        self.merged = {path: parse(text) for path, text in trees.of_merged.items() if path.endswith(".py")}
        self.calls = 0  # that were compared
        self._changed: dict[Scope, bool | None] = {}

    def judge(self, findings: Sequence[Interference]) -> dict[Interference, str]:
        """Each finding, and why it stands; an empty text where the code does as before."""
        out = dict.fromkeys(findings, "it could not be run by itself")
        out |= self._judge_by_calls(findings)
        for finding, why in out.items():
            out[finding] = self._hold_variants(finding, why)
        open_ends = {f: f.soft[-1] for f, why in out.items() if why and not why.startswith(WITNESS) and f.is_computed}
        differences = self._judge_ends(sorted(set(open_ends.values()))) if open_ends else {}
        for finding, end in open_ends.items():
            if end in differences:
                out[finding] = f"{out[finding]}; {differences[end]}" if differences[end] else ""
        return out

    def _judge_ends(self, ends: Sequence[Scope]) -> dict[Scope, str]:
        """Of functions that the other side changed, what tells their two texts apart: an empty text where they do the
        same on all inputs, and nothing of one that could not be seen whole. Who newly calls one that does the same has
        what its side knew, whether or not a test comes to it there."""
        known = [
            (path, name) for path, name in ends
            if all(find_function(trees.get(path), name) is not None for trees in (self.side, self.merged))
        ]  # fmt: skip
        wanted = [{"path": path, "name": name, "then": []} for path, name in known]
        tests = [path for path in self.trees.of_side if path.endswith(".py") and is_test_file(path)][:MAX_TESTS]
        watched = sorted({*self.list_changed(), *(path for path, _ in known)})
        try:
            answers = self.run_both(wanted, watched, tests) if wanted else []
        except OSError:
            return {}
        out: dict[Scope, str] = {}
        for end, (old, new) in zip(known, answers, strict=True):
            pairs = self.pair_calls(old, new)
            differing = next((p for p in pairs if not does_as_before(p[0]["seen"], p[1]["seen"])), None)
            if differing is not None:
                out[end] = tell_call(end[1], *differing)
            elif not self._find_silence(pairs) and self._runs_whole(end, pairs):
                self.calls += len(pairs)
                out[end] = ""
        return out

    def _runs_whole(self, end: Scope, pairs: Sequence[Pair]) -> bool:
        """Whether calls ran every statement of both texts of a function, and every changed one that it reaches."""
        for tree, trees in enumerate((self.side, self.merged)):
            function = find_function(trees.get(end[0]), end[1])
            ran = _list_ran(pairs, tree)
            if function is None or not all(_runs(s, end[0], ran) for s in list_statements(function)):
                return False
        return not self._find_unrun(_list_ran(pairs, 1), set(), set())

    def run_both(
        self,
        wanted: Sequence[Mapping[str, Any]],
        watched: Sequence[str],
        tests: Sequence[str],
        seed: int = 0,
        enough: int = ENOUGH,
    ) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
        """What functions give on the side, on inputs that are found there, and on the same in the merged tree. Raises
        OSError."""
        order = {"functions": wanted, "watched": watched, "tests": tests, "literals": find_first_literals(self.trees),
                 "sizes": find_sizes(self.trees), "record": True, "seed": seed, "enough": enough}  # fmt: skip
        before = self.run(self.trees.side, order)
        repeated = [{**w, "inputs": b.get("calls", ())} for w, b in zip(wanted, before, strict=True)]
        now = self.run(self.trees.merged, {**order, "functions": repeated, "record": False})
        return list(zip(before, now, strict=True))

    def _judge_by_calls(self, findings: Sequence[Interference]) -> dict[Interference, str]:
        readers = {(f.path, f.scope): [g for g in findings if (g.path, g.scope) == (f.path, f.scope)] for f in findings}
        can_run = {
            key: group for key, group in readers.items() if self.is_same_text(*key) and all(g.calls for g in group)
        }
        out: dict[Interference, str] = {}
        if not can_run:
            return out
        open_keys = list(can_run)
        for seed in range(SEARCHES):
            groups = [can_run[key] for key in open_keys]
            wanted = [
                {"path": path, "name": name, "then": sorted({end for f in group for _, end in f.soft if end != name})}
                for (path, name), group in zip(open_keys, groups, strict=True)
            ]
            try:
                answers = self.run_both(wanted, self._list_watched(can_run), self._list_tests(can_run), seed)
            except OSError as e:
                return out | {f: f"it could not be run by itself: {e}" for group in groups for f in group}
            for group, (old, new) in zip(groups, answers, strict=True):
                out |= {finding: self._hold(finding, old, new) for finding in group}
            open_keys = [key for key in open_keys if any(out[finding] == UNSHOWN for finding in can_run[key])]
            if not open_keys:
                break
        return out

    def _hold_variants(self, finding: Interference, why: str) -> str:
        """Why a finding stands, when variants of its side's tests have their say, too."""
        scope = (finding.path, finding.scope)
        telling = next((w for w in self.rehearsed.witnesses if scope in w.scopes), None)
        if telling is not None:
            return f"{WITNESS}a variant of {telling.test} tells: {telling.what}"
        if not why or scope not in self.rehearsed.now or not self.is_same_text(*scope):
            return why
        if not finding.is_value and (why.startswith(WITNESS) or not finding.soft):
            return why
        # What a name stands for was changed: inputs that were written down for the old value say nothing.
        before, now = self.rehearsed.before.get(scope, set()), self.rehearsed.now[scope]
        return (self._find_unseen(finding, before, now) and why) or self._find_unshown(finding, ())

    def has_met(self, finding: Interference) -> bool:
        """Whether variants came through the function of a finding to a statement that is not as its side has it."""
        ran = self.rehearsed.now.get((finding.path, finding.scope), set())
        return not self._find_unshown(finding, ()) and any(
            _is_new(statement, self.trees.of_merged[path], known) and _runs(statement, path, ran)
            for path in self.list_changed()
            for name, node in iter_functions(self.merged.get(path))
            for known in [self._count_known(path, name)]
            for statement in list_statements(node)
        )

    def _count_known(self, path: str, name: str) -> Counter[bytes]:
        """The lines of a function as the side has it."""
        return Counter(_list_lines(self.trees.of_side.get(path, b""), find_function(self.side.get(path), name)))

    def is_same_text(self, path: str, name: str) -> bool:
        """Whether both trees have the function, with one and the same text."""
        before, now = (find_function(trees.get(path), name) for trees in (self.side, self.merged))
        return before is not None and now is not None and ast.dump(before) == ast.dump(now)

    def list_changed(self) -> list[str]:
        """The files of code that are not as the side has them."""
        return [
            path for path, text in self.trees.of_merged.items()
            if path.endswith(".py") and not is_test_file(path) and text != self.trees.of_side.get(path)
        ]  # fmt: skip

    def _list_watched(self, readers: Mapping[tuple[str, str], Sequence[Interference]]) -> list[str]:
        behind = [f.behind[0] for group in readers.values() for f in group if f.behind]
        return sorted({*self.list_changed(), *behind, *(path for path, _ in readers)})

    def _list_tests(self, readers: Mapping[tuple[str, str], Sequence[Interference]]) -> list[str]:
        """The files of tests that speak of what matters here; all where there are few."""
        tests = [path for path in self.trees.of_side if path.endswith(".py") and is_test_file(path)]
        if len(tests) <= MAX_TESTS:
            return tests
        words = {f.behind[1].rpartition(".")[2].encode() for group in readers.values() for f in group if f.behind}
        words |= {name.rpartition(".")[2].encode() for _, name in readers}
        return [path for path in tests if any(word in self.trees.of_side[path] for word in words)][:MAX_TESTS]

    def _hold(self, finding: Interference, old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
        """Why a finding stands, by what was seen on both sides."""
        if "failed" in new or "failed" in old:
            return f"it could not be run by itself: {new.get('failed') or old.get('failed')}"
        pairs = self.pair_calls(old, new)
        differing = next((p for p in pairs if not does_as_before(p[0]["seen"], p[1]["seen"])), None)
        if differing is not None:
            return f"{WITNESS}{tell_call(finding.scope.rpartition('.')[2], *differing)}"
        silence = self._find_silence(pairs)
        if silence:
            return silence
        self.calls += len(pairs)
        scope = (finding.path, finding.scope)
        before, now = (varied.get(scope, set()) for varied in (self.rehearsed.before, self.rehearsed.now))
        ran_before, ran_now = _list_ran(pairs, 0) | before, _list_ran(pairs, 1) | now
        lost = find_lost_effect(self.side, ran_before, self.merged, ran_now)
        if lost:
            return f"{WITNESS}{finding.scope} comes to a call of {lost} on its side, and now to none"
        return self._find_unseen(finding, ran_before, ran_now) or self._find_unshown(finding, pairs)

    def _find_unshown(self, finding: Interference, pairs: Sequence[Pair]) -> str:
        """That what was changed never came to something else, on calls and in variants: then none of them shows
        whether the new code minds it."""
        if not finding.is_computed:
            return ""
        yields = [(before["seen"].get("yielded", ()), now["seen"].get("yielded", ())) for before, now in pairs]
        yields += self.rehearsed.yielded.get((finding.path, finding.scope), [])
        return "" if shows_change(yields, self._is_changed) else UNSHOWN

    def _is_changed(self, scope: Scope) -> bool | None:
        """Whether a function has another text in each tree; None where one of them does not have it."""
        if scope not in self._changed:
            two = [find_function(trees.get(scope[0]), scope[1]) for trees in (self.side, self.merged)]
            self._changed[scope] = None if None in two else not self.is_same_text(*scope)
        return self._changed[scope]

    def _find_unseen(self, finding: Interference, ran_before: Lines, ran_now: Lines) -> str:
        """A statement that no input ran: of the code, or a changed one that it reaches."""
        two = [find_function(trees[finding.path], finding.scope) for trees in (self.side, self.merged)]
        assert two[0] is not None
        assert two[1] is not None
        for before_it, now_it in zip(list_statements(two[0]), list_statements(two[1]), strict=True):
            if not (_runs(before_it, finding.path, ran_before) or _runs(now_it, finding.path, ran_now)):
                return f"no input was found that runs line {before_it[0]} of it"
        around = self.rehearsed.around.get((finding.path, finding.scope), set())
        return self._find_unrun(ran_now, around, {*({finding.behind} if finding.behind else ()), *finding.soft})

    def _find_unrun(self, ran_now: Lines, around: Lines, ends: Collection[Scope]) -> str:
        """A changed statement of a function that was entered, and did not run itself; or an end that was not entered.
        `around`: what else counts for the ends."""
        for path in self.list_changed():
            for name, node in iter_functions(self.merged.get(path)):
                statements = list_statements(node)
                is_end = (path, name) in ends
                ran = ran_now | around if is_end else ran_now
                if not any(_runs(statement, path, ran) for statement in statements):
                    if is_end:
                        return f"no input was found for which it comes to {name}"
                    continue
                known = self._count_known(path, name)
                for statement in statements:
                    if _is_new(statement, self.trees.of_merged[path], known) and not _runs(statement, path, ran):
                        return f"no input was found that runs {path}:{statement[0]}"
        return ""

    def pair_calls(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Pair]:
        """The calls on both trees. An object that could be made on one of them alone does not count: what is made is
        what the tests make, with calls that were thought of here. Neither does a file that the code had written
        itself, where what wrote it is not as it was: the merged tree would have written another."""
        if "failed" in old or "failed" in new:
            return []
        pairs: list[Pair] = []
        for before, now in zip(old["calls"], new["calls"], strict=True):
            writers = set(_list_writers([before["me"], *before["given"].values()]))
            is_input = all(self.is_same_text(*writer) for writer in writers)
            if now["seen"]["end"] != "unmade" and (is_input or does_as_before(before["seen"], now["seen"])):
                pairs.append((before, now))
        return pairs

    def _find_silence(self, pairs: Sequence[Pair]) -> str:
        """Why calls, though all did as before, show nothing. What they hand to functions below that nobody changed
        shows something, too."""
        calls = [before for before, _ in pairs]
        handed = [self._list_handed(pair) for pair in pairs]
        agreed = handed if None not in handed else [[] for _ in pairs]
        returned = [
            {**_observe(c["seen"]), **({"handed": below} if below else {})}
            for c, below in zip(calls, agreed, strict=True) if c["seen"]["end"] == "returned"
        ]  # fmt: skip
        results = {json.dumps(result, sort_keys=True) for result in returned}
        nothing = json.dumps(_observe({"end": "returned", "what": ["v", None], "then": []}), sort_keys=True)
        can_vary = any(_has_plain([c["me"], *c["given"].values()]) for c in calls)
        if len(returned) < (MIN_RETURNED if can_vary else 1) or results <= {nothing}:
            return "no input was found on which it shows what it does"
        return "whatever it was given, it gave the same" if can_vary and len(results) < 2 else ""

    def _list_handed(self, pair: Pair) -> list[Any] | None:
        """What a call handed to the functions below it that are the same on both trees; None where that differs."""
        before, now = (
            [given for given in call["seen"].get("beneath", ()) if self.is_same_text(given[0], given[1])]
            for call in pair
        )
        return before if is_as_before(before, now) else None


def find_first_literals(trees: Trees) -> list[Any]:
    """What stands in the code of either tree and in the side's tests: the borders of conditions are among it."""
    literals: dict[Any, None] = {}
    for texts in (trees.of_side, trees.of_merged):
        for path, text in texts.items():
            if texts is trees.of_merged and is_test_file(path):
                continue  # what only the other side's tests hand over is news that nobody on this side counted on
            for value in list_literals(text) if path.endswith(".py") else ():
                if not isinstance(value, bytes) and len(str(value)) <= MAX_LENGTH:
                    literals[value] = None
    return list(literals)[:MAX_LITERALS]


def find_sizes(trees: Trees) -> list[int]:
    """The numbers that stand in the code of one of the trees alone, and that something could be as long as."""
    numbers: list[set[int]] = []
    for texts in (trees.of_side, trees.of_merged):
        code = (text for path, text in texts.items() if path.endswith(".py") and not is_test_file(path))
        numbers.append({value for text in code for value in list_literals(text) if type(value) is int})
    return sorted(size for size in numbers[0] ^ numbers[1] if 1 < size <= MAX_SIZE)


def _list_writers(recipe: Any) -> Iterator[tuple[str, str]]:
    """The code that wrote the files in a recipe."""
    parts = recipe.values() if isinstance(recipe, dict) else recipe if isinstance(recipe, list) else ()
    if isinstance(recipe, list) and recipe[:1] == ["w"]:
        yield from ((path, name) for path, name in recipe[4])
    else:
        for part in parts:
            yield from _list_writers(part)


def _has_plain(recipe: Any) -> bool:
    """Whether a value stands in a recipe that could be another."""
    if isinstance(recipe, dict):
        return any(map(_has_plain, recipe.values()))
    if not isinstance(recipe, list) or not recipe:
        return False
    return recipe[0] in ("v", "b", "p", "w") or any(map(_has_plain, recipe))


def _observe(seen: Mapping[str, Any]) -> dict[str, Any]:
    return {
        k: seen.get(k) for k in ("end", "what", "then", "after", "changed", "state", "said", "files") if seen.get(k)
    }


def does_as_before(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether one call did what it did before. What is asked afterwards and has another answer without the call, too,
    does not come of it."""
    two = [_observe(before), _observe(now)]
    if not _is_untouched_same(before, now):
        two = [{name: value for name, value in seen.items() if name not in ("then", "after")} for seen in two]
    files = [seen.get("files") or {} for seen in two]
    if files[0].keys() != files[1].keys() and len(files[0]) == len(files[1]) and _is_again_same(before, now):
        two = [{**seen, "files": {n: f[n] for n in files[0].keys() & files[1].keys()}}
               for seen, f in zip(two, files, strict=True)]  # fmt: skip
    return is_as_before(*two)


def _is_again_same(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether the same call once more gives the same on both, with what the first one left in files: what those are
    called is then a matter of who writes and reads them."""
    return "again" in before and "again" in now and is_as_before(before["again"], now["again"])


def _is_untouched_same(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    return is_as_before(before.get("untouched"), now.get("untouched"))


def is_as_before(before: Any, now: Any) -> bool:
    """Whether what was seen before is seen now; numbers may differ in their last digits, objects may have more."""
    if isinstance(before, dict) and isinstance(now, dict):
        return all(key in now and is_as_before(value, now[key]) for key, value in before.items()) and (
            "end" not in before or before.keys() == now.keys()
        )
    if isinstance(before, list) and isinstance(now, list):
        if before[:1] == ["error"] and not before[4]:
            return True  # nobody meant it, and so nobody counts on it
        if before[:1] == now[:1] == ["error"]:
            return before[1] in now[3]  # whoever catches the one catches the other
        return len(before) == len(now) and all(is_as_before(b, n) for b, n in zip(before, now, strict=True))
    if isinstance(before, bool) or isinstance(now, bool) or isinstance(before, str) or isinstance(now, str):
        return type(before) is type(now) and before == now
    if isinstance(before, int | float) and isinstance(now, int | float):
        return before == now or math.isclose(before, now, rel_tol=1e-9)
    return bool(before == now)


def find_function(tree: ast.Module | None, name: str) -> Function | None:
    return dict(iter_functions(tree)).get(name)


def find_new_line(before: bytes, now: bytes, name: str) -> int:
    """The first statement of a function that it did not have before; its own line where it is new, or lost some."""
    old, function = (find_function(parse(text), name) for text in (before, now))
    if function is None:
        return 1
    known = Counter(_list_lines(before, old))
    new = (s[0] for s in list_statements(function) if old is not None and _is_new(s, now, known))
    return min(new, default=function.lineno)


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


def _runs(statement: tuple[int, int], path: str, ran: Lines) -> bool:
    return any((path, line) in ran for line in range(statement[0], statement[1] + 1))


def _list_ran(pairs: Sequence[Pair], tree: int) -> Lines:
    """The lines that calls ran in one of the trees. What was asked afterwards shows something only where its answers
    were compared."""
    ran: Lines = set()
    for pair in pairs:
        seen = pair[tree]["seen"]
        asked = seen.get("then_lines", ()) if _is_untouched_same(pair[0]["seen"], pair[1]["seen"]) else ()
        again = seen.get("again_lines", ()) if _is_again_same(pair[0]["seen"], pair[1]["seen"]) else ()
        ran |= {(path, line) for path, line in (*seen["lines"], *asked, *again)}
    return ran


def _list_lines(text: bytes, node: Function | None) -> list[bytes]:
    lines = text.splitlines()
    return [line.strip() for line in lines[node.lineno - 1 : node.end_lineno]] if node is not None else []


def _is_new(statement: tuple[int, int], text: bytes, known: Counter[bytes]) -> bool:
    return any(known[line.strip()] == 0 for line in text.splitlines()[statement[0] - 1 : statement[1]])


def tell_call(name: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """The input that tells the two apart."""
    arguments = ", ".join(f"{name}={spell(recipe)}" for name, recipe in before["given"].items())
    was, is_now = (_spell_end(call["seen"]) for call in (before, now))
    if was == is_now and "again" in before["seen"] and not _is_again_same(before["seen"], now["seen"]):
        name = f"once more, {name}"
        was, is_now = (_spell_end(_read_again(call["seen"])) for call in (before, now))
    if was == is_now:
        return f"{name}({arguments}) leaves behind something else than on its side"
    return f"{name}({arguments}) {was} on its side, and now {is_now}"


def _read_again(seen: Mapping[str, Any]) -> dict[str, Any]:
    return dict(zip(("end", "what"), seen.get("again", ("lost", "")), strict=True))


def _spell_end(seen: Mapping[str, Any]) -> str:
    what = seen["what"]
    if seen["end"] == "raised":
        return f"raises {what[1]}"
    return f"gives {spell_dump(what)}"[:100] if seen["end"] == "returned" else "comes to no end"


def spell_dump(what: Any) -> str:
    """A value that was seen, as somebody would write it."""
    match what:
        case ["v", value]:
            return repr(value)
        case ["list" | "tuple", items, _]:
            return f"[{', '.join(map(spell_dump, items))}]"
        case ["dict", items]:
            return "{" + ", ".join(f"{spell_dump(k)}: {spell_dump(v)}" for k, v in items) + "}"
        case ["object", name, _]:
            return f"a {name}"
        case ["other", _, text]:
            return str(text)
        case ["error", name, *_]:
            return f"the error {name}"
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
        case ["w", _, inner, *_]:
            return repr(inner)
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
