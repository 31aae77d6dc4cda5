"""The tests run once, in the sandbox, on a copy of the project; the recorder tells what it saw on their output."""

from __future__ import annotations

import ast
import json
import secrets
import shlex
import sys
import threading
from dataclasses import replace
from pathlib import Path

from graphbus_core.adopt.known.shapes import Made, Plain, Shape
from graphbus_core.adopt.observed.told import Classes, Observed, read
from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.confine.sandbox import Limits, Ran, describe, run
from graphbus_core.build.confine.scratch import scratch_copy
from graphbus_core.build.understand import Project
from graphbus_core.errors import UsageError
from graphbus_core.origin import is_installed

# Recording makes calls several times as slow, so the tests get five minutes, where a gate gives them half of one.
LIMITS = Limits(timeout_s=300.0, memory_mb=2048, processes=256, output_bytes=8_000_000)
MAX_WORDS = 20_000
LAST_LINES = 12
_RECORDER = Path(__file__).with_name("recorder.py")


def observe(
    root: Path,
    command: str,
    *,
    values: bool = False,
    limits: Limits = LIMITS,
    stop: threading.Event | None = None,
) -> Observed:
    """Run the tests and give what was seen. Raises UsageError where they cannot run, or nothing of the project ran.

    Failing tests are not an error: what they called was seen all the same. `stop` ends the run at once.
    """
    argv = _argv(command)
    project = Project(root)
    mark = secrets.token_hex(16)
    given = {"words": _words(project), "values": values, "mark": mark}
    try:
        with scratch_copy(root, {}) as scratch:
            ran = _run(argv, scratch, root, given, replace(limits, stop=stop))
    except Refusal as e:
        raise UsageError(f"The tests were not run: {e}") from None
    if ran.stopped == "interrupt":
        raise KeyboardInterrupt
    told, words = _parted(ran.output, mark)
    own = {path for path in project.texts.paths if not project.texts.is_test(path)}
    functions = {at: one for at, one in read(told, _classes(project)).items() if at[0] in own}
    if not functions:
        raise UsageError(_nothing(command, ran, words))
    return Observed(functions, command, _ended(ran, words), ran.ok, str(describe()))


def _argv(command: str) -> list[str]:
    """What is run under the recorder: `-m module …`, or a script. Raises UsageError for anything else."""
    try:
        words = shlex.split(command)
    except ValueError as e:
        raise UsageError(f"--from-tests {command!r} cannot be read: {e}.") from None
    if words and Path(words[0]).name.startswith("python"):
        words = words[1:]
    elif words and Path(words[0]).name in ("pytest", "py.test"):
        words = ["-m", "pytest", *words[1:]]
    elif words and not words[0].startswith("-"):
        words = ["-m", *words]
    if len(words) < 1 or (words[0] == "-m" and len(words) < 2) or (words[0] != "-m" and words[0].startswith("-")):
        raise UsageError(
            f'--from-tests {command!r} names no tests. Give a command, as "pytest -q" or "python -m unittest".'
        )
    if words[0] == "-m" and not is_installed(words[1].partition(".")[0]):
        raise UsageError(
            f"{words[1]} is not installed beside GraphBus, in {sys.prefix}. Install it there with what the project "
            f"needs: `pip install {words[1]} -e .`; with uvx: `uvx --with {words[1]} --with-editable . …`."
        )
    return words


def _run(argv: list[str], scratch: Path, root: Path, given: dict[str, object], limits: Limits) -> Ran:
    paths = [str(scratch), *([str(scratch / "src")] if (scratch / "src").is_dir() else [])]
    if "pytest" in argv[:2]:
        argv = [*argv, "-p", "no:cacheprovider"]
    line = [sys.executable, str(_RECORDER), *argv]
    return run(line, scratch, at=root, limits=limits, python_path=paths, given=json.dumps(given).encode())


def _words(project: Project) -> list[str]:
    """Short texts that stand in the project's own code: keys that a recorder may tell without telling data."""
    found: set[str] = set()
    for path in project.texts.paths:
        if not path.endswith(".py") or project.texts.is_test(path):
            continue
        try:
            tree = ast.parse(project.texts.content(path))
        except (SyntaxError, ValueError, RecursionError):
            continue
        for at in ast.walk(tree):
            match at:
                case ast.Constant(value=str() as word) | ast.keyword(arg=str() as word) | ast.arg(arg=word):
                    if word.isidentifier() and len(word) < 60:
                        found.add(word)
    return sorted(found)[:MAX_WORDS]


def _classes(project: Project) -> Classes:
    """Classes by module and name: of the project, or a plain word."""

    def found(module: str, name: str) -> Shape:
        for path in _paths(module):
            if path in project.texts.paths and name in project.index.facts[path].classes:
                return Made(path, name)
        return Plain(name.rpartition(".")[2])

    return found


def _paths(module: str) -> list[str]:
    """The files that a module may be."""
    base = module.replace(".", "/")
    return [f"{head}{base}{tail}" for head in ("", "src/") for tail in (".py", "/__init__.py")]


def _parted(output: str, mark: str) -> tuple[str, str]:
    """The recorder's line, and the rest: what the tests printed."""
    told, rest = "", []
    for line in output.splitlines():
        if line.startswith(mark):
            told = line[len(mark) + 1 :]
        else:
            rest.append(line)
    return told, "\n".join(rest).strip()


def _ended(ran: Ran, words: str) -> str:
    if ran.stopped is not None:
        return f"ended by the limit of {ran.stopped} after {ran.seconds:.0f} s"
    lines = words.splitlines()
    last = lines[-1].strip("= ")[:120] if lines else ""
    missing = next((line for line in lines if "No module named" in line), "")
    if missing:  # the commonest reason, and the one that the user can mend
        return f"{last} ({missing.partition('No module named')[2].strip()} is not installed in {sys.prefix})"
    return last or ("passed" if ran.ok else f"ended with code {ran.returncode}")


def _nothing(command: str, ran: Ran, words: str) -> str:
    last = "\n".join(f"  {line[:160]}" for line in words.splitlines()[-LAST_LINES:])
    why = f"it was ended by the limit of {ran.stopped}" if ran.stopped else f"it ended with code {ran.returncode}"
    return (
        f"Nothing was seen while `{command}` ran in the sandbox: {why}. The tests run on a copy, without network, home "
        f"or keys, with the packages of {sys.prefix}. What they said last:\n{last or '  (nothing)'}"
    )
