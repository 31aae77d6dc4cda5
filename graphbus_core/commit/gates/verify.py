"""Verify: the user's own command agrees, in the sandbox. Its word is binding, and the only one on behaviour.

`auto` runs pytest twice, on the code before and after the change, and judges from outside. What counts is the list of
tests that pytest prints at its end, held against the list of before: a test that passed must pass again. So a run that
ends early, skips or loses tests is a no, whatever its exit code. Nothing of ours is loaded into the run. Beside the
user's tests stands one that must fail, under a name that nobody could know: a run that reports it as anything else has
been tampered with. Tests that this build wrote or changed are not witnesses; one that a change writes must still pass.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from graphbus_core.analysis.scan import Project
from graphbus_core.commit.gates import pytest_suite
from graphbus_core.commit.gates.pytest_suite import SuiteOutcome
from graphbus_core.commit.gates.trial import (
    Gate,
    GateAnswer,
    Trial,
    build_import_path,
    clip_output_tail,
    report_not_run,
    report_refused,
    report_tested,
)
from graphbus_core.editing.scope import is_test_file
from graphbus_core.sandbox import runner
from graphbus_core.text import join_few

OUTPUT_READ = 20_000_000  # bytes of it that are read: the list of tests stands at its end
OUTPUT_KEPT = 6_000  # characters of a command's output that a receipt keeps
TOUCHED_MAX = 20  # test files that one try runs
SHOWN = 5  # tests named in one reason
AUTO = "python -m pytest"


def ask(trial: Trial) -> GateAnswer:
    """Run the command in a copy of its own."""
    command = trial.config.verify
    if command is None:
        return report_not_run("no --verify was given")
    if (answer := trial.word(trial)) is not None:
        return answer
    if command == "auto":
        return _verify_with_pytest(trial)
    with trial.copy(trial.applied.resulting_files) as scratch:
        ran = _run(["/bin/sh", "-c", command], scratch, trial)
    report = _build_run_report(command, ran)
    return (
        report_tested("", report)
        if ran.ok
        else report_refused(f"{command} says no ({_describe_end(ran)}):\n{clip_output_tail(ran)}", report)
    )


GATE = Gate("verify", ask, required=lambda trial: False)


def _verify_with_pytest(trial: Trial) -> GateAnswer:
    nothing: dict[str, Any] = {"verify": {"command": "auto", "skipped": "no tests"}}
    if not any(is_test_file(path) for path in trial.seen):
        return report_not_run("--verify auto found no tests", nothing)
    before = _run_baseline(trial)
    without = pytest_suite.find_changed_tests(trial.applied.before, trial.applied.after) | trial.changed_tests
    mine = {t: end for t, end in before.ends.items() if not pytest_suite.is_among(t, without)}
    passed = sorted(t for t, end in mine.items() if end == "passed")
    if not before.ends and before.whole:
        return report_not_run("--verify auto: pytest found no tests", nothing)
    if not passed:
        why = "all were skipped" if set(mine.values()) <= {"skipped"} else "none passed before the change either"
        why = why if mine else "this build changed all of them, and none of those has a say"
        return report_not_run(f"--verify auto: no test passed, {why}", _build_run_report(AUTO, before.ran))
    return _compare_runs(trial, passed, before.ends, without)


def _compare_runs(trial: Trial, passed: list[str], stood: Mapping[str, str], without: frozenset[str]) -> GateAnswer:
    """The run after the change, held against the one before."""
    with trial.copy(trial.applied.resulting_files) as scratch:
        decoy = pytest_suite.put_decoy(scratch, passed[0], secrets.token_hex(8))
        after = pytest_suite.read_outcome(_run(_build_pytest_command(), scratch, trial))
    report = _build_run_report(AUTO, after.ran)
    if after.ran.stopped:
        return report_refused(f"{AUTO} says no ({_describe_end(after.ran)}):\n{clip_output_tail(after.ran)}", report)
    # Without its end a list says nothing of the tests that the run left out, the one that must fail among them.
    left_out = [decoy] if decoy is not None and after.ends.get(decoy) != "failed" else []
    if left_out and after.whole:
        return report_refused(f"{AUTO} cannot be believed: a test that must fail is reported otherwise.", report)
    worse = [t for t in passed if after.ends.get(t) != "passed"]
    if gone := [t for t in worse if t not in after.ends] or left_out:
        why = "it ended before its tests were over" if not after.whole else "tests that ran before did not run"
        return report_refused(
            f"{AUTO} says no ({why}: {join_few(gone, SHOWN)}):\n{clip_output_tail(after.ran)}", report
        )
    if failed := [*worse, *_find_new_failures(trial, after, stood, decoy, without)]:
        return report_refused(f"{AUTO} says no ({join_few(failed, SHOWN)}):\n{clip_output_tail(after.ran)}", report)
    _keep_as_baseline(trial, after, decoy)
    return report_tested(_describe_counts(stood, without, len(passed)), report)


def _find_new_failures(
    trial: Trial, after: SuiteOutcome, stood: Mapping[str, str], decoy: str | None, without: frozenset[str]
) -> list[str]:
    """The tests that fail and did not stand before; of those that the change itself writes, each that fails now."""
    failed = [t for t, end in after.ends.items() if end in ("failed", "error")]
    new = [t for t in failed if t != decoy and t not in stood and not pytest_suite.is_among(t, without)]
    # A test of its own that passes is not a witness; one that fails would leave the project's tests red.
    own = pytest_suite.find_changed_tests(trial.applied.before, trial.applied.after)
    return new + [t for t in failed if pytest_suite.is_among(t, own) and stood.get(t) not in ("failed", "error")]


def find_newly_failing(trial: Trial) -> list[str]:
    """The tests that speak of what changes and pass only without it. For a try: told to all, and no refusal.

    Only where `--verify auto` was given: else nobody said that the project's tests are pytest's. A test file speaks of
    a change where it names a changed module or one of its nodes.
    """
    if trial.config.verify != "auto":
        return []
    words = {PurePosixPath(path).stem for path in trial.files}
    words |= {agent.class_name for agent in trial.project.agents if agent.source_file in trial.applied.after}
    mention_pattern = re.compile(rb"\b(?:" + b"|".join(re.escape(w.encode()) for w in sorted(words)) + rb")\b")
    near = [p for p in trial.seen if is_test_file(p) and mention_pattern.search(_read_bytes(trial.project.root / p))][
        :TOUCHED_MAX
    ]
    without = pytest_suite.find_changed_tests(trial.applied.before, trial.applied.after) | trial.changed_tests
    if not near:
        return []
    with trial.copy(trial.applied.resulting_files) as scratch:
        after = pytest_suite.read_outcome(_run([*_build_pytest_command(), "--", *near], scratch, trial))
    worse = [t for t, end in after.ends.items() if end in ("failed", "error") and not pytest_suite.is_among(t, without)]
    if not worse:
        return []
    with trial.copy(trial.applied.before) as scratch:  # a fault of the project's own is not held against the change
        before = pytest_suite.read_outcome(_run([*_build_pytest_command(), "--", *near], scratch, trial))
    return [t for t in worse if before.ends.get(t) == "passed"]


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _describe_counts(stood: Mapping[str, str], without: frozenset[str], passed: int) -> str:
    """What was counted, and what had no say."""
    failing = sum(end in ("failed", "error") and not pytest_suite.is_among(t, without) for t, end in stood.items())
    parts = [f"{passed} test{'s' * (passed != 1)} passed before and after"]
    parts += [f"{failing} failed before the change"] * bool(failing)
    parts += [f"{', '.join(sorted(without)[:SHOWN])}: changed in this build, and no part of it"] * bool(without)
    return "; ".join(parts)


def _run_baseline(trial: Trial) -> SuiteOutcome:
    """The tests on the code before the change; run once for each state of the project's files."""
    key = _digest_files(trial.seen)
    if key not in trial.baselines:
        with trial.copy(trial.applied.before) as scratch:
            trial.baselines[key] = pytest_suite.read_outcome(_run(_build_pytest_command(), scratch, trial))
    return trial.baselines[key]


def _digest_files(digests: Mapping[str, str | None]) -> str:
    """One name for the bytes of a project's files."""
    return hashlib.sha256(json.dumps(sorted(digests.items())).encode()).hexdigest()


def _keep_as_baseline(trial: Trial, after: SuiteOutcome, decoy: str | None) -> None:
    """The run after this change is the one before the next: half of all runs, where commits follow each other."""
    applied = trial.applied
    now = {**trial.seen, **{p: hashlib.sha256(data).hexdigest() for p, data in applied.after.items()}}
    ends = {test: end for test, end in after.ends.items() if test != decoy}
    key = _digest_files({path: digest for path, digest in now.items() if path not in applied.removed})
    trial.baselines[key] = SuiteOutcome(after.ran, ends, after.whole)


def _build_pytest_command() -> list[str]:
    # The test that must fail may end no run: `-x` in the project's settings would.
    options = ["-rA", "--tb=short", "--color=no", "--maxfail=0", "-p", "no:cacheprovider"]
    return [sys.executable, "-m", "pytest", *options]


def _run(argv: list[str], scratch: Path, trial: Trial) -> runner.RunResult:
    bounds = runner.Limits(
        timeout_s=trial.config.verify_timeout_s,
        memory_mb=4096,
        processes=256,
        file_mb=256,
        output_bytes=OUTPUT_READ,
        stop=trial.bounds.stop,
    )
    path = build_import_path(scratch, trial.project)
    return runner.run(argv, scratch, mount_path=trial.project.root, limits=bounds, python_path=path)


def _build_run_report(command: str, ran: runner.RunResult) -> dict[str, Any]:
    report = {
        "command": command,
        "returncode": ran.returncode,
        "stopped": ran.stopped,
        "output": ran.output[-OUTPUT_KEPT:],
    }
    return {"verify": report}


def _describe_end(ran: runner.RunResult) -> str:
    return f"it was stopped: too much {ran.stopped}" if ran.stopped else f"it ended with {ran.returncode}"


def explain_cannot_start(command: str, scratch: Path, project: Project) -> str | None:
    """Why a command line names a program that is not there; None where it is, or where only the shell can tell."""
    try:
        words = shlex.split(command)
    except ValueError as e:
        return f"{e}."
    word = next((w for w in words if not re.match(r"[A-Za-z_]\w*=", w)), "")
    if not re.fullmatch(r"[\w./+-]+", word) or command == "auto":
        return None
    probe = ["/bin/sh", "-c", f"command -v -- {word}"]
    ran = runner.run(probe, scratch, mount_path=project.root, python_path=build_import_path(scratch, project))
    if ran.returncode not in (1, 126, 127) or ran.stopped is not None:
        return None
    return f"there is no {word} where it would run, {runner.describe().kind} around a copy of {project.root}."
