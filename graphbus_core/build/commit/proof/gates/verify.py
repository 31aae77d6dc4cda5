"""Verify: the user's own command agrees, in the sandbox. Its word is binding, and the only one on behaviour."""

from __future__ import annotations

import json
import re
import secrets
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphbus_core.build.commit.proof.ends import Gate, Said, held, not_run, refused
from graphbus_core.build.commit.proof.running import import_path, tail
from graphbus_core.build.commit.proof.trial import Trial
from graphbus_core.build.confine import sandbox
from graphbus_core.build.scan import Project

OUTPUT_READ = 2_000_000  # bytes of it that are read: the last line of `--verify auto` must be among them
OUTPUT_KEPT = 6_000  # characters of a command's output that a receipt keeps
AUTO = "python -m pytest -q -x"


def ask(trial: Trial) -> Said:
    """Run the command in a copy of its own."""
    command = trial.config.verify
    if command is None:
        return not_run("no --verify was given")
    with trial.copy(trial.applied.after) as scratch:
        return _auto(scratch, trial) if command == "auto" else _command(command, scratch, trial)


GATE = Gate("verify", ask, required=lambda trial: False)


def _command(command: str, scratch: Path, trial: Trial) -> Said:
    ran = _run(["/bin/sh", "-c", command], scratch, trial)
    kept = _kept(command, ran)
    return held("", kept) if ran.ok else refused(f"{command} says no ({_how(ran)}):\n{tail(ran)}", kept)


def _auto(scratch: Path, trial: Trial) -> Said:
    if not _has_tests(scratch):
        found = {"verify": {"command": "auto", "skipped": "no tests"}}
        return not_run("--verify auto found no tests", found)
    child = "graphbus_core.build.commit.proof.pytest_child"
    word = secrets.token_hex(16)
    argv = [sys.executable, "-m", child, "-q", "-x", "-p", "no:cacheprovider"]
    told, ran = _told(_run(argv, scratch, trial, word.encode()), word)
    kept = _kept(AUTO, ran)
    if ran.stopped is None and told.get("code") == 5 == ran.returncode:
        return not_run("--verify auto: pytest found no tests", kept)
    if not ran.ok:
        return refused(f"{AUTO} says no ({_how(ran)}):\n{tail(ran)}", kept)
    if told.get("code") != 0:
        why = "it ended with success, but before its tests were over, as when a test or your code calls os._exit(0)"
        return refused(f"{AUTO} says no ({why}):\n{tail(ran)}", kept)
    if not told.get("passed"):
        return not_run("--verify auto: no test passed, all were skipped", kept)
    return held("", kept)


def _run(argv: list[str], scratch: Path, trial: Trial, given: bytes = b"") -> sandbox.Ran:
    bounds = sandbox.Limits(
        timeout_s=trial.config.verify_timeout_s,
        memory_mb=4096,
        processes=256,
        file_mb=256,
        output_bytes=OUTPUT_READ,
        stop=trial.bounds.stop,
    )
    path = import_path(scratch, trial.project)
    return sandbox.run(argv, scratch, at=trial.project.root, limits=bounds, python_path=path, given=given)


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


def _told(ran: sandbox.Ran, word: str) -> tuple[dict[str, Any], sandbox.Ran]:
    """What the run said of itself at its end, and the run without that line."""
    before, found, line = ran.output.rstrip().rpartition(f"\n{word} ")
    try:
        said = json.loads(line) if found else {}
    except ValueError:
        said = {}
    return (said if isinstance(said, dict) else {}), replace(ran, output=before if found else ran.output)


def _has_tests(scratch: Path) -> bool:
    return any(p.name.startswith("test_") or p.name.endswith("_test.py") for p in scratch.rglob("*test*.py"))


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
