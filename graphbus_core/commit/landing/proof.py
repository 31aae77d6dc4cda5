"""The gates of a landing, cheapest first: each holds a merged tree against both of its parents, never the base.

A gate that bounds a proposal (how many files it may change, which are protected, which contracts it declared) does not
stand here: nobody proposes anything here, the changes were made and reviewed on their branches. The gates below each
ask whether bringing the two together broke what held on each of them. `promises` were kept when the candidate was made;
here they are told with the rest.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from graphbus_core.analysis.type_checker.port import Diagnostic, EngineFailed, find_environment
from graphbus_core.commit.gates.names import find_undefined_names
from graphbus_core.commit.gates.trial import GateResult, GateStatus
from graphbus_core.commit.landing.advance import remove_scratch
from graphbus_core.commit.landing.cache import remember
from graphbus_core.commit.landing.crossings import Crossing, NewCode, Ran, list_tests
from graphbus_core.commit.landing.evidence import Evidence, is_witness
from graphbus_core.commit.landing.interference import Interference, find_interference
from graphbus_core.commit.landing.interference.keys import DATA
from graphbus_core.commit.landing.neighbours import find_neighbours, find_siblings
from graphbus_core.commit.landing.own_tests import list_own_tests
from graphbus_core.commit.landing.regions import Place
from graphbus_core.commit.landing.repository import Blob, Repository, Tree
from graphbus_core.commit.landing.suite import Suite, SuiteVerdict, export_tree
from graphbus_core.editing.scope import is_test_file
from graphbus_core.editing.source import Source
from graphbus_core.editing.structural_merge.promises.scopes import find_shared_functions
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.text import format_count

SHOWN = 3

Inspect = Callable[[Path], Iterable[str]]
"""What else is wrong with a tree, as `path:line: text`: a service hands in what this room may not know."""


@dataclass
class Proof:
    """What one landing is proved against. Findings of the parents are looked for once, when a gate first asks."""

    repository: Repository
    base: str
    parents: tuple[str, str]
    both: Sequence[str]  # files that both sides changed
    ordered: Sequence[str]
    suite: Suite | None
    inspect: Inspect | None = None
    report: Callable[[str], None] = lambda text: None
    cache: Path = Path()
    _found: dict[tuple[str, str], list[Diagnostic]] = field(default_factory=dict)
    _trees: dict[str, Tree] = field(default_factory=dict)
    _texts: dict[str, bytes] = field(default_factory=dict)
    refused_at: list[Place] = field(default_factory=list)  # of the tree that was refused last
    _evidence: Evidence | None = None
    _around: list[str] = field(default_factory=list)  # the files of the change and what they lean on
    _soft: list[Interference] = field(default_factory=list)  # of the tree that is asked about: tests must answer

    def judge(self, tree: str) -> list[GateResult]:
        """How each gate ends, up to the first that refuses."""
        results = [GateResult("promises", GateStatus.PROVED)]
        self.refused_at = []
        for name, ask in (
            ("parses", self._ask_parses),
            ("names", self._ask_names),
            ("interference", self._ask_interference),
            ("types", self._ask_types),
            ("contracts", self._ask_contracts),
            ("tests", self._ask_tests),
        ):
            self.report(name)
            status, why = ask(tree)
            results.append(GateResult(name, status, why))
            if status is GateStatus.REFUSED:
                break
        return results

    def _read_tree(self, commit: str) -> Tree:
        if commit not in self._trees:
            self._trees[commit] = self.repository.read_tree(commit)
        return self._trees[commit]

    def _changed_python(self, tree: str) -> list[tuple[str, Blob]]:
        """The Python files of the merged tree that are not as either parent has them."""
        now = self.repository.read_tree(tree)
        parents = [self._read_tree(parent) for parent in self.parents]
        return [
            (path, blob)
            for path, blob in now.items()
            if path.endswith(".py") and any(p.get(path) != blob for p in parents)
        ]

    def _ask_parses(self, tree: str) -> tuple[GateStatus, str]:
        for path, blob in self._changed_python(tree):
            try:
                _ = Source(path, self.repository.read_blob(blob)).tree
            except Refusal as e:
                if all(self._parses(parent, path) for parent in self.parents):
                    return GateStatus.REFUSED, e.reason
        return GateStatus.PROVED, ""

    def _parses(self, parent: str, path: str) -> bool:
        try:
            _ = Source(path, self.repository.read_blob(self._read_tree(parent).get(path))).tree
        except Refusal:
            return False
        return True

    def _ask_names(self, tree: str) -> tuple[GateStatus, str]:
        for path, blob in self._changed_python(tree):
            now = find_undefined_names(self.repository.read_blob(blob), path)
            if not now:
                continue
            had = {
                _plain(finding)
                for parent in self.parents
                for finding in find_undefined_names(self.repository.read_blob(self._read_tree(parent).get(path)), path)
            }
            new = sorted(finding for finding in now if _plain(finding) not in had)
            if new:
                return GateStatus.REFUSED, "; ".join(new[:SHOWN])
        return GateStatus.PROVED, ""

    def _ask_interference(self, tree: str) -> tuple[GateStatus, str]:
        """What one side newly relies on must be as that side knew it, wherever it stands."""
        trees = [self._read_tree(commit) for commit in (self.base, *self.parents)] + [self.repository.read_tree(tree)]
        changed = {
            path for path in {p for t in trees for p in t}
            if path.endswith((".py", *DATA)) and len({t.get(path) for t in trees}) > 1
        }  # fmt: skip
        both = [any(trees[0].get(path) != side.get(path) for path in changed) for side in trees[1:3]]
        self._soft = []
        if not all(both):
            return GateStatus.PROVED, ""
        around = changed.union(*(find_neighbours(t, changed, self._read_text) for t in trees))
        beside = find_siblings(*trees[:3])
        around |= {path for path in beside if path.endswith(".py")}
        files = [
            {path: self._read_text(t[path]) if path in around else b"" for path in sorted(around | beside) if path in t}
            for t in trees
        ]
        found = find_interference(*files)
        self._around = sorted(around)
        self._soft = [i for i in found if i.soft]
        evidence = self._gather(tree)
        asked = [i for i in found if not i.soft]
        hard = evidence.judge(asked) if evidence else dict.fromkeys(asked, "")
        if hard:
            self._note_places(list(hard))
            return GateStatus.REFUSED, _list_first([_spell(i, why) for i, why in hard.items()])
        return (GateStatus.TESTED, evidence.tell()) if evidence and asked else (GateStatus.PROVED, "")

    def _gather(self, tree: str) -> Evidence | None:
        """What running can tell of a tree; None where no tests are to be run, or a command stands in for them."""
        suite = self.suite
        if suite is None or suite.command != "auto":
            return None
        if self._evidence is None or self._evidence.tree != tree:
            self._evidence = Evidence(
                self.repository, self.base, self.parents, tree, suite, self._around, self._read_text
            )
        return self._evidence

    def _note_places(self, found: Sequence[Interference], functions: Sequence[tuple[str, str]] = ()) -> None:
        self.refused_at = [Place(i.path, i.scope, i.what, i.line) for i in found]
        self.refused_at += [Place(path, name, "both sides changed it") for path, name in functions]

    def _read_text(self, blob: Blob) -> bytes:
        if blob.sha not in self._texts:
            self._texts[blob.sha] = self.repository.read_blob(blob)
        return self._texts[blob.sha]

    def _ask_types(self, tree: str) -> tuple[GateStatus, str]:
        try:
            now = self._find("types", tree)
            had = [self._find("types", parent) for parent in self.parents]
        except EngineFailed as e:
            return GateStatus.NOT_RUN, str(e)
        if now is None or None in had:
            return GateStatus.NOT_RUN, "no type checker is installed; pip install 'graphbus-core[types]'"
        new = find_new(now, [side for side in had if side is not None])
        return _refuse(new) if new else (GateStatus.PROVED, "")

    def _ask_contracts(self, tree: str) -> tuple[GateStatus, str]:
        if self.inspect is None:
            return GateStatus.NOT_RUN, "nobody looks for links here"
        now = self._find("contracts", tree) or []
        new = find_new(now, [self._find("contracts", parent) or [] for parent in self.parents])
        return _refuse(new) if new else (GateStatus.PROVED, "")

    def _ask_tests(self, tree: str) -> tuple[GateStatus, str]:
        watched = self._list_shared_functions(tree)
        if self.suite is None:
            if watched or self.ordered or self._soft:
                self._note_places(self._soft, watched)
                open_places = [*(f"the order in {place} is open" for place in self.ordered), *map(str, self._soft)]
                return GateStatus.REFUSED, _question(watched, open_places, "no test was run")
            return GateStatus.NOT_RUN, "nobody asked for tests (--verify)"
        both_ends = {end for interference in self._soft for end in interference.soft}
        evidence = self._gather(tree)
        changed = frozenset().union(*evidence.list_changed_functions()) if evidence else frozenset()
        verdict = self.suite.judge(tree, [*watched, *sorted((both_ends | changed).difference(watched))])
        if not verdict.passed:
            self._note_places(self._soft, watched)
            places = [f"it may be {i}" for i in self._soft[:SHOWN]]
            return GateStatus.REFUSED, "; ".join([verdict.why, *places])
        for parent, other in (self.parents, self.parents[::-1]):
            why = self._run_as_written(tree, parent, other)
            if why:
                return GateStatus.REFUSED, why
        crossings = self._find_crossings(tree)
        if crossings:
            self.refused_at = [Place(c.path, c.scope, str(c), c.line) for c in crossings]
            what = _list_first(list(map(str, crossings)))
            return GateStatus.REFUSED, f"{what}. Write a test that says which is right, or merge it by hand."
        unseen = [w for w in watched if w not in verdict.ran]
        if unseen and self.suite.command == "auto":
            self._note_places((), unseen)
            return GateStatus.REFUSED, _question(unseen, (), "no test runs it")
        if evidence is None:
            return GateStatus.TESTED, format_count(verdict.tests, "test") if verdict.tests else ""
        unanswered = self._find_unanswered(evidence, verdict)
        if unanswered:
            self._note_places(list(unanswered))
            open_places = [_spell(i, why) for i, why in unanswered.items()]
            return GateStatus.REFUSED, _question((), open_places, "no test runs both")
        sights = evidence.list_sights() or evidence.list_partings(verdict.together) or evidence.list_strays(self._soft)
        if sights:
            self.refused_at = [Place(s.path, s.scope, s.what, s.line) for s in sights]
            what = _list_first(list(map(str, sights)))
            return GateStatus.REFUSED, f"{what}. Write a test that says which is right, or merge it by hand."
        more = [format_count(verdict.tests, "test"), *([evidence.tell()] if evidence.tell() else [])]
        return GateStatus.TESTED, ", ".join(more) if verdict.tests or evidence.tell() else ""

    def _find_unanswered(self, evidence: Evidence, verdict: SuiteVerdict) -> dict[Interference, str]:
        """The questions to the tests that stand: one test must run both ends, and come to what was changed."""
        standing = evidence.judge(self._soft)
        ran_both = {i for i in self._soft if any(group.issuperset(i.soft) for group in verdict.together.values())}
        return {
            i: why for i, why in standing.items()
            if is_witness(why) or i not in ran_both or (i.calls and not evidence.has_met(i))
        }  # fmt: skip

    def _find_crossings(self, tree: str) -> list[Crossing]:
        """Where the tests of a side take another road through its new code than on its own side."""
        assert self.suite is not None
        if self.suite.command != "auto":
            return []
        commits = (self.base, *self.parents, tree)
        trees = [self._read_tree(commit) for commit in commits[:3]] + [self.repository.read_tree(tree)]
        changed = {
            path for path in {p for t in trees[1:3] for p in t}
            if path.endswith(".py") and any(trees[0].get(path) != t.get(path) for t in trees[1:3])
        }  # fmt: skip
        base, ours, theirs, now = ({p: self._read_text(t[p]) for p in changed if p in t} for t in trees)
        codes: list[NewCode] = []
        tests: list[str] = []
        ran: list[Ran] = []  # of each side's own tests
        for commit, side, other in zip(self.parents, (ours, theirs), (theirs, ours), strict=True):
            code = NewCode.of(base, side, sum(len(c.keys) for c in codes))
            codes.append(code)
            own = list_tests(base, side, other) if code.keys else []
            tests += own
            ran.append(self._trace_side(commit, code, side, list_tests(base, side, base)) if own else {})
        lines: dict[str, dict[int, int]] = {}
        for code in codes:
            for path, numbers in code.locate(now).items():
                lines.setdefault(path, {}).update(numbers)
        for _ in range(2):  # what differs by chance does not differ twice
            runs = self.suite.trace(tree, tests, lines) if tests and lines else {}
            found = [c for code, old in zip(codes, ran, strict=True) for c in code.compare(now, old, runs)]
            tests = sorted({crossing.test.partition("[")[0] for crossing in found})
        return found

    def _trace_side(self, commit: str, code: NewCode, texts: Mapping[str, bytes], tests: list[str]) -> Ran:
        """What its own tests run of the new code of a side, kept: that is the same whatever it is merged with."""
        assert self.suite is not None
        suite = self.suite

        def look() -> list[str]:
            ran = suite.trace(commit, tests, code.locate(texts), whole=True)
            return [json.dumps([test, sorted(i - code.first for i in lines)]) for test, lines in ran.items()]

        kept = map(json.loads, remember(self.cache, f"trace of {self.base}", commit, look) or ())
        return {test: frozenset(i + code.first for i in lines) for test, lines in kept}

    def _run_as_written(self, tree: str, parent: str, other: str) -> str:
        """Run the tests that a side brought in files of both, with those files as that side wrote them."""
        assert self.suite is not None
        now = self.repository.read_tree(tree)
        files = {p: self._read_tree(parent)[p] for p in self.both if is_test_file(p) and p in self._read_tree(parent)}
        tests = [
            f"{path}::{name}"
            for path, blob in files.items()
            if path.endswith(".py") and now.get(path) != blob
            for name in list_own_tests(
                *(self.repository.read_blob(self._read_tree(c).get(path)) for c in (self.base, parent, other))
            )
        ]
        if not tests or self.suite.command != "auto":
            return ""
        scratch = self.cache.parent / f"index-tests-{tree[:12]}"
        try:
            as_written = self.repository.write_tree(tree, dict(files), scratch)
        finally:
            remove_scratch(scratch)
        return self.suite.judge_some(as_written, tests)

    def _list_shared_functions(self, tree: str) -> list[tuple[str, str]]:
        """The functions that both sides changed, outside of tests."""
        now = self.repository.read_tree(tree)
        shared = []
        for path in self.both:
            if not path.endswith(".py") or is_test_file(path) or path not in now:
                continue
            blobs = [self._read_tree(c).get(path) for c in (self.base, *self.parents)] + [now[path]]
            four = [Source(path, self.repository.read_blob(blob)) for blob in blobs]
            shared += [(path, name) for name in find_shared_functions(*four)]
        return shared

    def _find(self, what: str, tree: str) -> list[Diagnostic] | None:
        """Findings of a tree, kept for the next landing: whoever lands ten branches looks at each tree once."""
        key = (what, tree)
        if key not in self._found:
            lines = remember(self.cache, what, tree, lambda: self._look(what, tree))
            if lines is None:
                return None
            self._found[key] = [Diagnostic(*json.loads(line)) for line in lines]
        return self._found[key]

    def _look(self, what: str, tree: str) -> list[str] | None:
        with export_tree(self.repository, tree) as folder:
            if what == "types":
                found = find_type_errors(folder, find_environment(self.repository.root))
            else:
                assert self.inspect is not None
                found = [_parse_finding(text) for text in self.inspect(folder)]
        return None if found is None else [json.dumps([d.path, d.line, d.rule, d.message]) for d in found]


def find_type_errors(folder: Path, environment: Path) -> Sequence[Diagnostic] | None:
    """Everything that the type checker finds in a tree; None where none is installed."""
    from graphbus_core.analysis.type_checker import pyrefly, ty

    if ty.find_executable():
        with ty.Ty(folder, environment) as engine:
            return engine.find_diagnostics(folder)
    if pyrefly.find_executable():
        with pyrefly.Pyrefly(folder, environment) as other:
            return other.find_diagnostics(folder)
    return None


def find_new(now: Iterable[Diagnostic], had: Sequence[Sequence[Diagnostic]]) -> list[Diagnostic]:
    """The findings that neither parent has, by file and text, each as often as it came to be there."""
    counts = [Counter((d.path, d.message) for d in side) for side in had]
    new = []
    for diagnostic in sorted(now):
        key = (diagnostic.path, diagnostic.message)
        holder = next((c for c in counts if c[key] > 0), None)
        if holder is None:
            new.append(diagnostic)
        else:
            holder[key] -= 1
    return new


def _spell(interference: Interference, why: str) -> str:
    return f"{interference}: {why}" if why else str(interference)


def _list_first(texts: Sequence[str]) -> str:
    return "; ".join(texts[:SHOWN]) + (f"; and {len(texts) - SHOWN} more" if len(texts) > SHOWN else "")


def _refuse(new: Sequence[Diagnostic]) -> tuple[GateStatus, str]:
    return GateStatus.REFUSED, _list_first([str(d) for d in new])


def _question(shared: Sequence[tuple[str, str]], open_places: Sequence[str], why: str) -> str:
    what = [f"both sides changed {name} in {path}" for path, name in shared]
    what += open_places
    return f"{'; '.join(what[:SHOWN])}, and {why}. Write a test that runs both, or merge it by hand."


def _plain(finding: str) -> str:
    return finding.rpartition(" (line ")[0]


def _parse_finding(text: str) -> Diagnostic:
    path, line, message = text.split(":", 2)
    return Diagnostic(path, int(line), "contract", message.strip())
