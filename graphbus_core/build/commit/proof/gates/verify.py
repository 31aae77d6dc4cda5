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

from graphbus_core.build.commit.proof import outcomes
from graphbus_core.build.commit.proof.code_gates import import_path, tail
from graphbus_core.build.commit.proof.gate_ends import Said, held, not_run, refused
from graphbus_core.build.commit.proof.outcomes import SuiteOutcome
from graphbus_core.build.commit.proof.trial import Gate, Trial
from graphbus_core.build.confine import sandbox
from graphbus_core.build.edit.reach import is_test_file
from graphbus_core.build.scan import Project
from graphbus_core.shown import few

OUTPUT_READ = 20_000_000  # bytes of it that are read: the list of tests stands at its end
OUTPUT_KEPT = 6_000  # characters of a command's output that a receipt keeps
TOUCHED_MAX = 20  # test files that one try runs
SHOWN = 5  # tests named in one reason
AUTO = "python -m pytest"


def ask(trial: Trial) -> Said:
    """Run the command in a copy of its own."""
    command = trial.config.verify
    if command is None:
        return not_run("no --verify was given")
    if (word := trial.word(trial)) is not None:
        return word
    if command == "auto":
        return _auto(trial)
    with trial.copy(trial.applied.left) as scratch:
        ran = _run(["/bin/sh", "-c", command], scratch, trial)
    kept = _kept(command, ran)
    return held("", kept) if ran.ok else refused(f"{command} says no ({_how(ran)}):\n{tail(ran)}", kept)


GATE = Gate("verify", ask, required=lambda trial: False)


def _auto(trial: Trial) -> Said:
    nothing: dict[str, Any] = {"verify": {"command": "auto", "skipped": "no tests"}}
    if not any(is_test_file(path) for path in trial.seen):
        return not_run("--verify auto found no tests", nothing)
    before = _before(trial)
    without = outcomes.changed_tests(trial.applied.before, trial.applied.after) | trial.changed_tests
    mine = {t: end for t, end in before.ends.items() if not outcomes.is_among(t, without)}
    passed = sorted(t for t, end in mine.items() if end == "passed")
    if not before.ends and before.whole:
        return not_run("--verify auto: pytest found no tests", nothing)
    if not passed:
        why = "all were skipped" if set(mine.values()) <= {"skipped"} else "none passed before the change either"
        why = why if mine else "this build changed all of them, and none of those has a say"
        return not_run(f"--verify auto: no test passed, {why}", _kept(AUTO, before.ran))
    return _judged(trial, passed, before.ends, without)


def _judged(trial: Trial, passed: list[str], stood: Mapping[str, str], without: frozenset[str]) -> Said:
    """The run after the change, held against the one before."""
    with trial.copy(trial.applied.left) as scratch:
        decoy = outcomes.put_decoy(scratch, passed[0], secrets.token_hex(8))
        after = outcomes.read(_run(_pytest(), scratch, trial))
    kept = _kept(AUTO, after.ran)
    if after.ran.stopped:
        return refused(f"{AUTO} says no ({_how(after.ran)}):\n{tail(after.ran)}", kept)
    # Without its end a list says nothing of the tests that the run left out, the one that must fail among them.
    left_out = [decoy] if decoy is not None and after.ends.get(decoy) != "failed" else []
    if left_out and after.whole:
        return refused(f"{AUTO} cannot be believed: a test that must fail is reported otherwise.", kept)
    worse = [t for t in passed if after.ends.get(t) != "passed"]
    if gone := [t for t in worse if t not in after.ends] or left_out:
        why = "it ended before its tests were over" if not after.whole else "tests that ran before did not run"
        return refused(f"{AUTO} says no ({why}: {few(gone, SHOWN)}):\n{tail(after.ran)}", kept)
    if failed := [*worse, *_new_failures(trial, after, stood, decoy, without)]:
        return refused(f"{AUTO} says no ({few(failed, SHOWN)}):\n{tail(after.ran)}", kept)
    _keep_as_baseline(trial, after, decoy)
    return held(_beside(stood, without, len(passed)), kept)


def _new_failures(
    trial: Trial, after: SuiteOutcome, stood: Mapping[str, str], decoy: str | None, without: frozenset[str]
) -> list[str]:
    """The tests that fail and did not stand before; of those that the change itself writes, each that fails now."""
    failed = [t for t, end in after.ends.items() if end in ("failed", "error")]
    new = [t for t in failed if t != decoy and t not in stood and not outcomes.is_among(t, without)]
    # A test of its own that passes is not a witness; one that fails would leave the project's tests red.
    own = outcomes.changed_tests(trial.applied.before, trial.applied.after)
    return new + [t for t in failed if outcomes.is_among(t, own) and stood.get(t) not in ("failed", "error")]


def newly_failing(trial: Trial) -> list[str]:
    """The tests that speak of what changes and pass only without it. For a try: told to all, and no refusal.

    Only where `--verify auto` was given: else nobody said that the project's tests are pytest's. A test file speaks of
    a change where it names a changed module or one of its nodes.
    """
    if trial.config.verify != "auto":
        return []
    words = {PurePosixPath(path).stem for path in trial.files}
    words |= {agent.class_name for agent in trial.project.agents if agent.source_file in trial.applied.after}
    named = re.compile(rb"\b(?:" + b"|".join(re.escape(w.encode()) for w in sorted(words)) + rb")\b")
    near = [p for p in trial.seen if is_test_file(p) and named.search(_bytes(trial.project.root / p))][:TOUCHED_MAX]
    without = outcomes.changed_tests(trial.applied.before, trial.applied.after) | trial.changed_tests
    if not near:
        return []
    with trial.copy(trial.applied.left) as scratch:
        after = outcomes.read(_run([*_pytest(), "--", *near], scratch, trial))
    worse = [t for t, end in after.ends.items() if end in ("failed", "error") and not outcomes.is_among(t, without)]
    if not worse:
        return []
    with trial.copy(trial.applied.before) as scratch:  # a fault of the project's own is not held against the change
        before = outcomes.read(_run([*_pytest(), "--", *near], scratch, trial))
    return [t for t in worse if before.ends.get(t) == "passed"]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _beside(stood: Mapping[str, str], without: frozenset[str], passed: int) -> str:
    """What was counted, and what had no say."""
    failing = sum(end in ("failed", "error") and not outcomes.is_among(t, without) for t, end in stood.items())
    said = [f"{passed} test{'s' * (passed != 1)} passed before and after"]
    said += [f"{failing} failed before the change"] * bool(failing)
    said += [f"{', '.join(sorted(without)[:SHOWN])}: changed in this build, and no part of it"] * bool(without)
    return "; ".join(said)


def _before(trial: Trial) -> SuiteOutcome:
    """The tests on the code before the change; run once for each state of the project's files."""
    key = _state(trial.seen)
    if key not in trial.baselines:
        with trial.copy(trial.applied.before) as scratch:
            trial.baselines[key] = outcomes.read(_run(_pytest(), scratch, trial))
    return trial.baselines[key]


def _state(seen: Mapping[str, str | None]) -> str:
    """One name for the bytes of a project's files."""
    return hashlib.sha256(json.dumps(sorted(seen.items())).encode()).hexdigest()


def _keep_as_baseline(trial: Trial, after: SuiteOutcome, decoy: str | None) -> None:
    """The run after this change is the one before the next: half of all runs, where commits follow each other."""
    applied = trial.applied
    now = {**trial.seen, **{p: hashlib.sha256(data).hexdigest() for p, data in applied.after.items()}}
    ends = {test: end for test, end in after.ends.items() if test != decoy}
    key = _state({path: digest for path, digest in now.items() if path not in applied.removed})
    trial.baselines[key] = SuiteOutcome(after.ran, ends, after.whole)


def _pytest() -> list[str]:
    # The test that must fail may end no run: `-x` in the project's settings would.
    options = ["-rA", "--tb=short", "--color=no", "--maxfail=0", "-p", "no:cacheprovider"]
    return [sys.executable, "-m", "pytest", *options]


def _run(argv: list[str], scratch: Path, trial: Trial) -> sandbox.Ran:
    bounds = sandbox.Limits(
        timeout_s=trial.config.verify_timeout_s,
        memory_mb=4096,
        processes=256,
        file_mb=256,
        output_bytes=OUTPUT_READ,
        stop=trial.bounds.stop,
    )
    path = import_path(scratch, trial.project)
    return sandbox.run(argv, scratch, at=trial.project.root, limits=bounds, python_path=path)


def _kept(command: str, ran: sandbox.Ran) -> dict[str, Any]:
    told = {
        "command": command,
        "returncode": ran.returncode,
        "stopped": ran.stopped,
        "output": ran.output[-OUTPUT_KEPT:],
    }
    return {"verify": told}


def _how(ran: sandbox.Ran) -> str:
    return f"it was stopped: too much {ran.stopped}" if ran.stopped else f"it ended with {ran.returncode}"


def cannot_start(command: str, scratch: Path, project: Project) -> str | None:
    """Why a command line names a program that is not there; None where it is, or where only the shell can tell."""
    try:
        words = shlex.split(command)
    except ValueError as e:
        return f"{e}."
    word = next((w for w in words if not re.match(r"[A-Za-z_]\w*=", w)), "")
    if not re.fullmatch(r"[\w./+-]+", word) or command == "auto":
        return None
    asked = ["/bin/sh", "-c", f"command -v -- {word}"]
    ran = sandbox.run(asked, scratch, at=project.root, python_path=import_path(scratch, project))
    if ran.returncode not in (1, 126, 127) or ran.stopped is not None:
        return None
    return f"there is no {word} where it would run, {sandbox.describe().kind} around a copy of {project.root}."
