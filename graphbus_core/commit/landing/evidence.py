"""What running shows of the questions to one merged tree: new code on many inputs, and a side's tests in many variants.

Both are run on the side that wrote them and on the merged tree. A difference stands against a landing, with what tells
it. That there is none counts only where the new code ran, and what was changed under it.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from graphbus_core.commit.landing import replay
from graphbus_core.commit.landing.crossings import list_tests
from graphbus_core.commit.landing.interference import Interference
from graphbus_core.commit.landing.interference.definitions import find_module
from graphbus_core.commit.landing.neighbours import find_neighbours
from graphbus_core.commit.landing.replay.agreement import Agreement
from graphbus_core.commit.landing.replay.compare import (
    WITNESS,
    Rehearsed,
    Scope,
    Witness,
    find_function,
    find_new_line,
    iter_functions,
    make_mark,
    read_answer,
)
from graphbus_core.commit.landing.replay.stale import find_stale_code
from graphbus_core.commit.landing.replay.strays import find_strays
from graphbus_core.commit.landing.replay.varied import run_variants
from graphbus_core.commit.landing.repository import Blob, Repository, Tree
from graphbus_core.commit.landing.suite import Suite
from graphbus_core.commit.landing.texts import list_imports, parse
from graphbus_core.editing.scope import is_test_file

MAX_TEST_FILES = 200  # that a replay takes values from
MAX_VARIED = 40  # tests of a side that are run in variants

Texts = Mapping[str, bytes]


@dataclass(frozen=True)
class Sight:
    """A place of new code at which the tests of its side see another thing in the merged tree."""

    path: str
    line: int
    scope: str
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


@dataclass
class Evidence:
    """Runs what can tell about one merged tree. Each side's variants are run once, when first asked for."""

    repository: Repository
    base: str
    parents: tuple[str, str]
    tree: str
    suite: Suite
    around: Sequence[str]  # the files of the change and what they lean on
    read: Callable[[Blob], bytes]
    calls: int = 0  # that were compared
    variants: int = 0
    _rehearsed: dict[int, Rehearsed] = field(default_factory=dict)
    _texts: dict[str, Texts] = field(default_factory=dict)

    def judge(self, findings: Sequence[Interference]) -> dict[Interference, str]:
        """The findings that stand, and why; of those of no side, nothing is known."""
        standing = {finding: "" for finding in findings if finding.side < 0}
        for side in range(len(self.parents)):
            own = [finding for finding in findings if finding.side == side]
            if own:
                trees = self._lay_out(side)
                judge = replay.Replay(trees, self._run, self.get_rehearsed(side))
                standing |= {finding: why for finding, why in judge.judge(own).items() if why}
                self.calls += judge.calls
        return {finding: standing[finding] for finding in findings if finding in standing}

    def has_met(self, finding: Interference) -> bool:
        """Whether a test of its side came to what the other side changed, through the new use, and nothing differed."""
        rehearsed = self.get_rehearsed(finding.side) if finding.side >= 0 else Rehearsed()
        scope = (finding.path, finding.scope)
        if any(scope in witness.scopes for witness in rehearsed.witnesses):
            return False
        judge = replay.Replay(self._lay_out(finding.side), self._run, rehearsed)
        return scope in rehearsed.observed or judge.has_met(finding)

    def list_sights(self) -> list[Sight]:
        """Where variants of a side's tests see another thing, first of each place."""
        sights: list[Sight] = []
        for side in range(len(self.parents)):
            for witness in self.get_rehearsed(side).witnesses:
                bent = self._find_bent(witness, side)
                sights += [bent] if bent is not None else self._place([witness], "tells both trees apart")
        return list({(sight.path, sight.scope): sight for sight in reversed(sights)}.values())[::-1]

    def _find_bent(self, witness: Witness, side: int) -> Sight | None:
        """The line of a test that calls what the other side changed among the tests: the test says another thing then,
        whatever the code does."""
        own, now = self._read(self.parents[side]), self._read(self.tree)
        path, _, name = witness.test.partition("::")
        changed = {
            scope.rpartition(".")[2]
            for file in now if own.get(file) not in (None, now[file]) and _serves_tests(now, file)
            for scope, node in iter_functions(parse(now[file]))
            if (old := find_function(parse(own[file]), scope)) is not None and ast.dump(old) != ast.dump(node)
        }  # fmt: skip
        test = find_function(parse(now.get(path, b"")), name.replace("::", "."))
        for node in ast.walk(test) if test is not None else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in changed:
                what = f"{ast.unparse(node.func)}: the other side changed it; a variant of {witness.test} tells"
                return Sight(path, node.lineno, name, f"{what}: {witness.what}")
        return None

    def _place(self, witnesses: Sequence[Witness], verb: str) -> list[Sight]:
        """What variants saw, at the first line of new code of each function that they ran."""
        first_of: dict[Scope, Sight] = {}
        base, now = self._read(self.base), self._read(self.tree)
        for witness in witnesses:
            if witness.at is not None:
                path, name, line = witness.at
                text = f"{name}: a variant of {witness.test} {verb}: {witness.what}"
                first_of.setdefault((path, name), Sight(path, line, name, text))
                continue
            for path, name in sorted(witness.scopes):
                line = find_new_line(base.get(path, b""), now.get(path, b""), name)
                text = f"{name}: a variant of {witness.test} {verb}: {witness.what}"
                first_of.setdefault((path, name), Sight(path, line, name, text))
        return list(first_of.values())

    def list_strays(self, asked: Sequence[Interference]) -> list[Sight]:
        """New code that does something else on some input, beside that of which something was asked: that was run."""
        strays: list[Sight] = []
        known = {(finding.path, finding.scope) for finding in asked if finding.calls}
        for side, new in enumerate(self.list_changed_functions()):
            rehearsed = self.get_rehearsed(side)
            scopes = sorted(new - known - rehearsed.observed)
            if not scopes or not self._can_meet(side, self.parents[side], self.parents[1 - side]):
                continue
            judge = replay.Replay(self._lay_out(side), self._run, rehearsed)
            try:
                in_side = find_strays(judge, scopes)
            except OSError:
                continue  # nothing was seen, and so nothing is told
            strays += [Sight(s.scope[0], s.line, s.scope[1], f"{s.scope[1]}: {s.what}") for s in in_side]
        return strays

    def list_changed_functions(self) -> tuple[frozenset[Scope], frozenset[Scope]]:
        """The functions that each side added or changed, outside of tests."""
        base, ours, theirs = (self._read(commit) for commit in (self.base, *self.parents))
        return frozenset(_iter_new_functions(base, ours)), frozenset(_iter_new_functions(base, theirs))

    def list_partings(self, together: Mapping[str, frozenset[Scope]]) -> list[Sight]:
        """Where both sides do the same, and the merged tree does not. `together`: what each test ran."""
        changed = self.list_changed_functions()
        met = [test.partition("[")[0] for test, ran in sorted(together.items()) if all(ran & side for side in changed)]
        tests = _group_by_file(test for test in dict.fromkeys(met) if test.partition("::")[0] in self._read(self.tree))
        if not tests:
            return []
        agreement = Agreement(self._lay_out(0), self._lay_out(1), self._run, changed)
        try:
            partings = agreement.find_partings(tests, sorted({path for path, _ in changed[0] | changed[1]}))
        except OSError:
            return []
        return self._place(partings, "sees the same on both sides, and not here")

    def tell(self) -> str:
        """How much was compared."""
        counts = {"calls": self.calls, "variants of tests": self.variants}
        return ", ".join(f"{count} {what} compared" for what, count in counts.items() if count)

    def get_rehearsed(self, side: int) -> Rehearsed:
        """What the variants of a side's own tests saw on both trees."""
        if side not in self._rehearsed:
            self._rehearsed[side] = self._run_variants(side)
            self.variants += self._rehearsed[side].variants
        return self._rehearsed[side]

    def _run_variants(self, side: int) -> Rehearsed:
        parent, other = self.parents[side], self.parents[1 - side]
        base, own, now = (self._read(commit) for commit in (self.base, parent, self.tree))
        tests = _group_by_file(t for t in list_tests(base, own, base) if not t.startswith(self.suite.leave_out))
        producing = self._list_producing(parent, other)
        can_meet = self._can_meet(side, parent, other)
        if not tests or not (can_meet or producing):
            return Rehearsed()
        scopes = list(_iter_new_functions(base, own))
        changed = {p for p, text in now.items() if p.endswith(".py") and not is_test_file(p) and text != own.get(p)}
        watched = sorted(changed | {path for path, _ in scopes})
        order = {"scopes": scopes, "watched": watched, "producing": producing}
        try:
            rehearsed = run_variants(self._lay_out(side), self._run, tests, order, can_meet)
            rehearsed.witnesses += find_stale_code(self._lay_out(side), self._run, tests, order)
        except OSError:
            return Rehearsed()  # nothing was seen, and so nothing is told
        return rehearsed

    def _list_producing(self, parent: str, other: str) -> list[str]:
        """The files of tests, as a side has them, that come in a few imports to code that the other side changed."""
        trees = [self.repository.read_tree(commit) for commit in (self.base, parent, other)]
        changed = {p for p in {*trees[0], *trees[2]} if p.endswith(".py") and trees[0].get(p) != trees[2].get(p)}
        code = {path for path in changed if not is_test_file(path)}
        tests = [path for path in self._read(parent) if is_test_file(path)]
        return [path for path in tests if code & set(find_neighbours(trees[1], [path], self.read))]

    def _can_meet(self, side: int, parent: str, other: str) -> bool:
        """Whether what one side changed imports, in a few steps, what the other side changed in code."""
        base = self.repository.read_tree(self.base)
        trees = [self.repository.read_tree(commit) for commit in (parent, other)]
        mine, others = ({p for p in {*t, *base} if t.get(p) != base.get(p) and p.endswith(".py")} for t in trees)
        merged: Tree = self.repository.read_tree(self.tree)
        ahead, back = (set(find_neighbours(merged, paths, self.read)) for paths in (mine, others))
        code = [{p for p in paths if not is_test_file(p)} for paths in (mine, others)]
        return bool(code[0] and code[1] and (ahead & code[1] or back & code[0]))

    def _lay_out(self, side: int) -> replay.Trees:
        parent = self.parents[side]
        return replay.Trees(parent, self.tree, self._read(parent), self._read(self.tree))

    def _run(self, name: str, order: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        mark = make_mark()
        data = json.dumps({**order, "mark": mark}).encode()
        return read_answer(self.suite.run_package(name, Path(replay.__file__).parent, data).output, mark)

    def _read(self, commit: str) -> Texts:
        """The texts of a tree that matter here: those of the change and around it, and the tests."""
        if commit not in self._texts:
            tree = self.repository.read_tree(commit)
            tests = [path for path in tree if path.endswith(".py") and is_test_file(path)][:MAX_TEST_FILES]
            self._texts[commit] = {path: self.read(tree[path]) for path in (*self.around, *tests) if path in tree}
        return self._texts[commit]


def _group_by_file(tests: Iterable[str]) -> dict[str, list[str]]:
    """The names of the first tests of some, by file."""
    grouped: dict[str, list[str]] = {}
    for path, _, name in (test.partition("::") for test in islice(tests, MAX_VARIED)):
        grouped.setdefault(path, []).append(name)
    return grouped


def _iter_new_functions(base: Texts, side: Texts) -> Iterator[Scope]:
    """The functions that a side added or changed, outside of tests."""
    for path, text in side.items():
        if path.endswith(".py") and not is_test_file(path) and text != base.get(path):
            old = {name: ast.dump(node) for name, node in iter_functions(parse(base.get(path, b"")))}
            for name, node in iter_functions(parse(text)):
                if old.get(name) != ast.dump(node):
                    yield path, name


def _serves_tests(texts: Texts, path: str) -> bool:
    """Whether a file stands among tests, and nothing else imports it."""
    folders = {other.rpartition("/")[0] for other in texts if is_test_file(other)}
    importers = [
        other for other, text in texts.items()
        if other.endswith(".py") and other != path
        and any(find_module(texts, other, level, dotted) == path for level, dotted in list_imports(text))
    ]  # fmt: skip
    return path.rpartition("/")[0] in folders and bool(importers) and all(map(is_test_file, importers))


def is_witness(why: str) -> bool:
    """Whether a reason tells of something that is not as before, and not of what could not be seen."""
    return why.startswith(WITNESS)
