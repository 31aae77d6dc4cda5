"""The tests as proof of a landing: which there are on either side, how they end on the merged tree, and what ran.

A test that the merged tree lost, or that fails there and passes on each parent that has it, refuses a candidate.
One that fails on a parent, too, says nothing. Every run is confined, on an export of a tree that nobody looks into
afterwards.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.commit.gates.pytest_suite import SuiteOutcome, read_outcome
from graphbus_core.commit.landing.cache import remember
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.sandbox import runner
from graphbus_core.storage.private_folders import open_private_folder
from graphbus_core.text import format_count

TIMEOUT_S = 600.0
OUTPUT = 4_000_000  # bytes of a run that are read
MAX_RERUN = 40  # failing tests that are looked at on the parents
SOURCE_FOLDERS = ("src", "lib", "python")
_NODE = re.compile(r"^(\S+?\.py(?:::\S.*)?)$")
WATCH = "graphbus_watch"
PACKAGE = "graphbus_replay"
OURS = (
    "__init__.py",
    "agreement.py",
    "compare.py",
    "effects.py",
    "makers.py",
    "strays.py",
    "varied.py",
)  # stay on this end
# Tells which of some functions were run, and which by one and the same test. Knows files by the end of their path.
_WATCHER = """
import json, os, sys, threading, pytest
wanted = {tuple(w) for w in json.loads(os.environ_watch)}
names = {name.rpartition(".")[2] for _, name in wanted}
together, current = {}, set()
def look(frame, event, arg):
    code = frame.f_code
    if code.co_name in names:
        for path, name in wanted - current:
            if code.co_qualname.replace(".<locals>", "") == name and code.co_filename.endswith(path):
                current.add((path, name))
def pytest_sessionstart(session):
    threading.settrace(look)
    sys.settrace(look)
@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    current.clear()
    sys.settrace(look)
    try:
        return (yield)
    finally:
        together[item.nodeid] = sorted(current)
def pytest_terminal_summary(terminalreporter):
    sys.settrace(None)
    terminalreporter.write_line("graphbus ran " + json.dumps(sorted(together.items())))
"""
# Tells which of some lines each test ran.
_TRACER = """
import json, os, sys, threading, pytest
wanted = {path: {int(line): i for line, i in lines.items()} for path, lines in json.loads(os.environ_watch).items()}
files, seen = {}, {}
ran = set()
def find(name):
    if name not in files:
        files[name] = next((lines for path, lines in wanted.items() if name.endswith("/" + path)), None)
    return files[name]
def look(frame, event, arg):
    lines = find(frame.f_code.co_filename)
    if lines is None:
        return None
    def look_on(frame, event, arg):
        if frame.f_lineno in lines:
            ran.add(lines[frame.f_lineno])
        return look_on
    return look_on(frame, event, arg)
@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    ran.clear()
    threading.settrace(look)
    sys.settrace(look)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        threading.settrace(None)
        seen[item.nodeid] = sorted(ran)
def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line("graphbus ran " + json.dumps(sorted(seen.items())))
"""


@dataclass(frozen=True)
class SuiteVerdict:
    """What the tests say of a merged tree."""

    passed: bool
    why: str = ""
    tests: int = 0
    failing: tuple[str, ...] = ()
    together: Mapping[str, frozenset[tuple[str, str]]] = field(default_factory=dict)
    """Test -> (file, function) of those watched: what it ran."""

    @property
    def ran(self) -> frozenset[tuple[str, str]]:
        """What some test ran of what was watched."""
        return frozenset().union(*self.together.values())


@dataclass
class Suite:
    """The tests of one landing. Remembers what the parents have, and what failed last: it is asked first."""

    repository: Repository
    parents: Sequence[str]  # trees
    base: str
    command: str = "auto"
    leave_out: tuple[str, ...] = ()
    timeout_s: float = TIMEOUT_S
    stop: threading.Event | None = None
    cache: Path = Path()
    runs: int = 0
    suspects: list[str] = field(default_factory=list)
    _collected: dict[str, frozenset[str]] = field(default_factory=dict)

    def judge(self, tree: str, watch: Collection[tuple[str, str]] = ()) -> SuiteVerdict:
        """Run the tests on a merged tree."""
        if self.command != "auto":
            return self._judge_command(tree)
        if self.suspects:
            outcome = self.run_tests(tree, ["-x", *self._present(tree, self.suspects)])
            if self._failing(outcome):
                return SuiteVerdict(False, f"still fails: {self._failing(outcome)[0]}", failing=self._failing(outcome))
        wanted = self._wanted()
        outcome = self.run_tests(tree, [], watch)
        if not outcome.whole:
            return SuiteVerdict(False, f"the tests came to no end: {_tail(outcome)}")
        unseen = wanted - _plain(outcome.ends)
        if not unseen:
            self._collected.setdefault(tree, _plain(outcome.ends))  # they need not be listed by a run of its own
        missing = sorted(unseen - self.collect(tree))
        if missing:
            unread = next((f", as {_tell(outcome, name)}" for name, end in outcome.ends.items() if end == "error"), "")
            return SuiteVerdict(
                False, f"{format_count(len(missing), 'test', 'is', 'are')} gone, {missing[0]} for one{unread}"
            )
        against, why = self._hold_against(tree, self._failing(outcome))
        if against:
            self.suspects = [*against, *(s for s in self.suspects if s not in against)][:MAX_RERUN]
            return SuiteVerdict(
                False, f"{format_count(len(against), 'test', 'fails', 'fail')}, {why}", len(outcome.ends), against
            )
        return SuiteVerdict(True, "", len(outcome.ends), together=_read_watched(outcome))

    def judge_some(self, tree: str, names: Sequence[str]) -> str:
        """Run some tests of a tree; why they refuse it, or nothing."""
        outcome = self.run_tests(tree, [name for name in names if name not in self.leave_out])
        against, why = self._hold_against(tree, self._failing(outcome))
        if against:
            return f"{format_count(len(against), 'test', 'fails', 'fail')} as written on its side, {why}"
        return "" if outcome.whole else f"the tests of a side, as it wrote them, came to no end: {_tail(outcome)}"

    def trace(
        self, tree: str, names: Sequence[str], lines: Mapping[str, Mapping[int, int]], whole: bool = False
    ) -> dict[str, frozenset[int]]:
        """Which of some lines (file -> line -> its number) each of some tests ran; of tests that passed. `whole`: of
        those, too, that are left out."""
        present = list(names) if whole else self._present(tree, [n for n in names if not n.startswith(self.leave_out)])
        if not present:
            return {}
        plugin = _TRACER.replace("os.environ_watch", repr(json.dumps(lines)))
        options = [] if whole else self._options(tree)
        outcome = read_outcome(self._run_words(tree, [*_pytest(), *options, *present], plugin=plugin))
        return {name: frozenset(ran) for name, ran in _read_told(outcome) if outcome.ends.get(name) in (None, "passed")}

    def _judge_command(self, tree: str) -> SuiteVerdict:
        """A command of the user's: it must end with 0 here. Where a parent fails it, it can prove nothing."""
        ran = self._run_words(tree, ["/bin/sh", "-c", self.command])
        if ran.ok:
            return SuiteVerdict(True)
        for parent in self.parents:
            if not self._run_words(parent, ["/bin/sh", "-c", self.command]).ok:
                return SuiteVerdict(False, f"{self.command!r} fails on a side by itself, and so proves nothing")
        return SuiteVerdict(False, f"{self.command!r} ended with {ran.returncode}: {_last_line(ran)}")

    def _wanted(self) -> frozenset[str]:
        """The tests that must be there: of both sides, without what one of them removed."""
        ours, theirs = (self.collect(parent) for parent in self.parents)
        old = self.collect(self.base) if ours != theirs else ours
        return (ours | theirs) - (old - ours) - (old - theirs)

    def collect(self, tree: str) -> frozenset[str]:
        """The tests of a tree, by function, without those that are left out."""
        if tree not in self._collected:
            names = remember(self.cache, "tests", tree, lambda: self._list_tests(tree)) or ()
            self._collected[tree] = frozenset(name for name in names if not name.startswith(self.leave_out))
        return self._collected[tree]

    def _list_tests(self, tree: str) -> list[str]:
        outcome = self._run_words(tree, [*_pytest(), "--collect-only", "-q"])
        return sorted(_plain(m[1] for line in outcome.output.splitlines() if (m := _NODE.match(line.strip()))))

    def _hold_against(self, tree: str, failing: Sequence[str]) -> tuple[tuple[str, ...], str]:
        """Those that pass on every parent that has them, and fail here a second time; and what the first one shows."""
        if not failing:
            return (), ""
        some = list(failing)[:MAX_RERUN]
        outcome = self.run_tests(tree, ["--tb=short", *self._present(tree, some)])
        again = set(self._failing(outcome))
        against = [name for name in some if name in again]
        for parent in self.parents:
            present = self._present(parent, against)
            if present:
                excused = set(self._failing(self.run_tests(parent, present)))
                against = [name for name in against if name not in excused]
        return tuple(against), f"{against[0]} for one, as {_tell(outcome, against[0])}" if against else ""

    def _present(self, tree: str, names: Iterable[str]) -> list[str]:
        has = self.collect(tree)
        return [name for name in names if name.partition("[")[0] in has]

    def _failing(self, outcome: SuiteOutcome) -> tuple[str, ...]:
        return tuple(sorted(name for name, end in outcome.ends.items() if end in ("failed", "error")))

    def _options(self, tree: str) -> list[str]:
        return [option for name in self.leave_out for option in ("--deselect", name)]

    def run_tests(self, tree: str, words: Sequence[str], watch: Collection[tuple[str, str]] = ()) -> SuiteOutcome:
        """Run the tests of a tree, or some by their names, and say how each ended."""
        plugin = _WATCHER.replace("os.environ_watch", repr(json.dumps(sorted(watch)))) if watch else ""
        return read_outcome(self._run_words(tree, [*_pytest(), *self._options(tree), *words], plugin))

    def run_package(self, tree: str, package: Path, data: bytes) -> runner.RunResult:
        """Run our own `driver` in a package that is laid into a tree; `data` is its standard input."""
        words = [sys.executable, "-m", f"{PACKAGE}.driver"]
        return self._run_words(tree, words, stdin_data=data, package=package)

    def _run_words(
        self,
        tree: str,
        words: Sequence[str],
        plugin: str = "",
        stdin_data: bytes = b"",
        package: Path | None = None,
    ) -> runner.RunResult:
        self.runs += 1
        with export_tree(self.repository, tree) as folder:
            if package is not None:
                # With what Python compiled of it: the run writes none, and would compile all of it anew.
                shutil.copytree(package, folder / PACKAGE, ignore=shutil.ignore_patterns(*OURS))
            extra: list[str] = []
            if plugin:
                (folder / f"{WATCH}.py").write_text(plugin)
                extra = ["-p", WATCH]
            limits = runner.Limits(
                timeout_s=self.timeout_s,
                memory_mb=4096,
                processes=256,
                file_mb=256,
                output_bytes=OUTPUT,
                stop=self.stop,
            )
            path = [str(folder / name) for name in SOURCE_FOLDERS if (folder / name).is_dir()] + [str(folder)]
            return runner.run([*words, *extra], folder, limits=limits, python_path=path, stdin_data=stdin_data)


@contextmanager
def export_tree(repository: Repository, tree: str) -> Iterator[Path]:
    """A tree in a folder of its own, for one run."""
    with open_private_folder("landing") as private:
        folder = private / "tree"
        folder.mkdir()
        repository.export(tree, folder)
        yield folder


def _pytest() -> list[str]:
    options = ["-rfEsxXp", "--tb=line", "--color=no", "--maxfail=0", "-p", "no:cacheprovider"]
    return [sys.executable, "-m", "pytest", *options]


def _plain(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.partition("[")[0] for name in names)


def _read_watched(outcome: SuiteOutcome) -> dict[str, frozenset[tuple[str, str]]]:
    return {test: frozenset((path, name) for path, name in group) for test, group in _read_told(outcome)}


def _read_told(outcome: SuiteOutcome) -> list[Any]:
    """What a plug-in of ours told at the end of a run."""
    for line in outcome.ran.output.splitlines():
        if line.startswith("graphbus ran "):
            with suppress(ValueError):
                return list(json.loads(line.removeprefix("graphbus ran ")))
    return []


def _tell(outcome: SuiteOutcome, test: str) -> str:
    """Where in the tree a test, or the import of a file of tests, came to an error, and to which."""
    path, _, name = test.partition("::")
    heading = name.replace("::", ".") or f"ERROR collecting {path}"
    _, _, rest = outcome.ran.output.partition(f"_ {heading} _")
    section = re.split(r"^(?:_{3,} .* _{3,}|={3,} .*)$", rest, maxsplit=1, flags=re.MULTILINE)[0]
    places = re.findall(r"^(?!\.\.|/)(\S+\.py:\d+): in ", section, re.MULTILINE)
    errors = re.findall(r"^E   +(.*)$", section, re.MULTILINE)
    return f"{places[-1] if places else path}: {errors[0][:200] if errors else 'an error'}"


def _tail(outcome: SuiteOutcome) -> str:
    if outcome.ran.stopped:
        return f"too much {outcome.ran.stopped}"
    return _last_line(outcome.ran)


def _last_line(ran: runner.RunResult) -> str:
    lines = [line for line in ran.output.strip().splitlines() if line.strip()]
    return lines[-1][:300] if lines else f"it ended with {ran.returncode}"
