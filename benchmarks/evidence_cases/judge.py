"""One case: written to a folder, built with the rules as a user would, run, judged."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.evidence_cases.case import Case
from graphbus_core.analysis.scan import scan
from graphbus_core.cli.main import main as graphbus
from graphbus_core.config import RuntimeConfig
from graphbus_core.runtime import RuntimeExecutor

RUN_LIMIT_S = 900  # of one run; a machine that others load takes its time
SKIPPED = {".graphbus", "__pycache__", ".pytest_cache", ".ruff_cache"}  # not the user's


@dataclass(frozen=True)
class Result:
    """`verdict`: a word of the case's part; `why` for the wrong ones; `code` is the build's exit code."""

    case: Case
    verdict: str
    why: str = ""
    code: int = 0


def judge(case: Case, folder: Path) -> Result:
    """Build one case in an empty folder and say what became of it."""
    write(case, folder)
    before = {name: _run(folder, name) for name in case.runs}
    if wrong := [name for name, (code, _) in before.items() if code]:
        return Result(case, "bad case", f"{wrong[0]} does not run before the build: {before[wrong[0]][1][-300:]}")
    stand = contents(folder)
    code, said = build(folder)
    changed = contents(folder) != stand
    return {"trap": _trap, "honest": _honest, "outside": _outside}[case.part](case, folder, before, changed, code, said)


def write(case: Case, folder: Path) -> None:
    """The files of the case, in a project of its own."""
    for name, text in {"pyproject.toml": '[project]\nname = "case"\nversion = "0"\n', **case.files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of the user's, by its place."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not SKIPPED & set(path.relative_to(folder).parts)
    }


def build(folder: Path, *more: str) -> tuple[int, dict[str, Any]]:
    """`graphbus build agents --enable-agents --json`, with the rules; its exit code and what it says."""
    out, err = io.StringIO(), io.StringIO()
    stood = os.getcwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = graphbus(["build", "agents", "--enable-agents", "--model", "rules", "--json", *more])
    finally:
        os.chdir(stood)
    lines = [line for line in out.getvalue().splitlines() if line.startswith("{")]
    return code, json.loads(lines[-1]) if lines else {"error": err.getvalue()[-500:]}


def questions(told: Any) -> Iterator[str]:
    """Every question in what a build says, wherever it stands there."""
    if isinstance(told, dict):
        for key, value in told.items():
            if key in ("question", "questions") and value:
                yield json.dumps(value, ensure_ascii=False)
            else:
                yield from questions(value)
    elif isinstance(told, list):
        for one in told:
            yield from questions(one)


def _trap(case: Case, folder: Path, before: Any, changed: bool, code: int, said: dict[str, Any]) -> Result:
    if "error" in said:
        return Result(case, "bad case", str(said["error"]), code)
    if changed:
        return Result(case, "committed", _diff(case, folder), code)
    if not said.get("mismatches"):
        return Result(case, "bad case", "nothing is wrong with it", code)
    asked = " ".join(questions(said))
    unnamed = [name for name in (case.missing, *case.candidates) if name not in asked]
    if not asked:
        return Result(case, "silent", "no question", code)
    if unnamed:
        return Result(case, "unnamed", f"the question does not name {', '.join(unnamed)}", code)
    return (
        Result(case, "asked", "", code) if code == 1 else Result(case, "silent", f"asked, and exit code {code}", code)
    )


def _honest(case: Case, folder: Path, before: Any, changed: bool, code: int, said: dict[str, Any]) -> Result:
    if not changed:
        bad = str(said.get("error", "")) or ("" if said.get("mismatches") else "nothing is wrong with it")
        asked = "asked" if any(questions(said)) else "left"
        return Result(case, "bad case" if bad else asked, bad, code)
    try:
        done = _chain(case, folder)
    except Exception as e:
        return Result(case, "wrong", f"{type(e).__name__}: {e}", code)
    if done != case.expected:
        return Result(case, "wrong", f"says {done!r}, and {case.expected!r} is right", code)
    return Result(case, "right", "", code) if not (why := _still(folder, before)) else Result(case, "wrong", why, code)


def _outside(case: Case, folder: Path, before: Any, changed: bool, code: int, said: dict[str, Any]) -> Result:
    if "error" in said:
        return Result(case, "bad case", str(said["error"]), code)
    if why := _still(folder, before) or _stub_differs(folder):
        return Result(case, "broken", why, code)
    return Result(case, "followed" if changed else "refused", "", code)


def _chain(case: Case, folder: Path) -> Any:
    """What the last one says when it is fed with what the first one gives, payloads checked."""
    (first, verb), (last, take) = case.chain
    agent = next(agent for agent in scan(str(folder / "agents")).agents if agent.name == last)
    method = agent.method(take)
    assert method is not None, "the consumer is gone"
    assert method.input_schema is not None, "the consumer lost its contract"
    executor = RuntimeExecutor(RuntimeConfig(artifacts_dir=str(folder / ".graphbus"), payload_checks="enforce"))
    executor.start()
    try:
        payload = executor.call_method(first, verb)
        taken = {name: value for name, value in payload.items() if name in method.input_schema.fields}
        return executor.call_method(last, take, **taken)["done"]
    finally:
        executor.stop()


def _still(folder: Path, before: dict[str, tuple[int, str]]) -> str:
    """Why something that ran before does not, or says something else."""
    for name, stood in before.items():
        now = _run(folder, name)
        if now != stood:
            return f"{name}: {now[1].strip().splitlines()[-1] if now[1].strip() else now[0]}"
    return ""


def _run(folder: Path, name: str) -> tuple[int, str]:
    """Run a program, a test file or a notebook's cells of the project."""
    path = folder / name
    if name.endswith(".pyi"):
        return 0, ""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(Path(__file__).parents[2])])}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    command = [sys.executable, name]
    if path.name.startswith("test_"):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "-x", name]
    elif name.endswith(".ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        command = [sys.executable, "-c", "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=RUN_LIMIT_S)
    said = "" if "pytest" in command and ran.returncode == 0 else ran.stdout + (ran.stderr if ran.returncode else "")
    return ran.returncode, said


def _stub_differs(folder: Path) -> str:
    """A stub beside a module must go on telling the same parameters."""
    import ast

    for stub in folder.rglob("*.pyi"):
        if SKIPPED & set(stub.relative_to(folder).parts):
            continue  # the build's own stub of the nodes has no module beside it
        names = []
        for path in (stub, stub.with_suffix(".py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
            names.append({(f.name, *(a.arg for a in f.args.args)) for f in found})
        if names[0] != names[1]:
            return f"{stub.name} tells other parameters than its module"
    return ""


def _diff(case: Case, folder: Path) -> str:
    now = contents(folder)
    was = {name: text.encode() for name, text in case.files.items()}
    pairs = [
        (old.strip(), new.strip())
        for name in was
        for old, new in zip(was[name].decode().splitlines(), now[name].decode().splitlines(), strict=False)
        if old != new
    ]
    return f"{pairs[0][0][:110]}  became  {pairs[0][1][:110]}" if pairs else "lines were added or taken away"
