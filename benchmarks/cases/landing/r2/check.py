"""Checks each case: both sides pass their tests, the files merge as text, the probe tells conflict from twin."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
# Each test is a plain function without fixtures, so that no test runner is needed to run it.
TESTS = """
import runpy, pathlib
for path in sorted(pathlib.Path("tests").glob("test_*.py")):
    for name, value in runpy.run_path(str(path)).items():
        if name.startswith("test_"):
            value()
"""


def run(folder, *command):
    return subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"})


def merge(case, target):
    names = {str(p.relative_to(side)) for side in (case / "base", case / "ours", case / "theirs") for p in side.rglob("*.py")}
    for name in sorted(names):
        base, ours, theirs = (case / side / name for side in ("base", "ours", "theirs"))
        texts = [p.read_text() if p.exists() else None for p in (base, ours, theirs)]
        if texts[0] == texts[1]:
            text = texts[2]
        elif texts[0] == texts[2] or texts[1] == texts[2]:
            text = texts[1]
        else:
            assert None not in texts, name
            result = subprocess.run(["git", "merge-file", "-p", ours, base, theirs], capture_output=True, text=True)
            assert result.returncode == 0, f"{name} conflicts as text"
            text = result.stdout
        if text is not None:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_text(text)


def check(case):
    conflict = case.parent.name == "conflicts"
    for side in ("base", "ours", "theirs"):
        result = run(case / side, "-B", "-c", TESTS)
        assert result.returncode == 0, f"{side}: {result.stdout}{result.stderr}"
    with tempfile.TemporaryDirectory() as folder:
        merge(case, Path(folder))
        tests = run(folder, "-B", "-c", TESTS).returncode == 0
        probe = run(folder, "-B", str(case / "probe.py")).returncode == 0
    assert probe != conflict, "the probe does not tell"
    facts = json.loads((case / "case.json").read_text())
    facts["merged_tests"] = "pass" if tests else "fail"
    (case / "case.json").write_text(json.dumps(facts, indent=2) + "\n")


for name in sys.argv[1:] or sorted(f"{k}/{p.name}" for k in ("conflicts", "twins") for p in (HERE / k).iterdir()):
    try:
        check(HERE / name)
    except AssertionError as error:
        print(name, error)
