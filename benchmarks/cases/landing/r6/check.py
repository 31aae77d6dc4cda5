"""Checks the pairs of this round and writes merged_tests into each case.json.

    python check.py [NN ...]      (needs pytest and git)
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIDES = ("base", "ours", "theirs")
LIMIT = 60


def run(args, cwd, **env):
    full = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
    full.update(PYTHONDONTWRITEBYTECODE="1", **env)
    try:
        return subprocess.run(args, cwd=cwd, env=full, capture_output=True, timeout=LIMIT).returncode
    except subprocess.TimeoutExpired:
        return -99


def tests(folder):
    return run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], folder)


def files(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def merge(case, target):
    """The textual merge; returns the files that do not merge."""
    base, ours, theirs = (files(case / s) for s in SIDES)
    bad = []
    for name in sorted(set(base) | set(ours) | set(theirs)):
        b, o, t = base.get(name), ours.get(name), theirs.get(name)
        if o == t or t == b:
            out = o
        elif o == b:
            out = t
        elif None in (b, o, t):
            bad.append(name)
            continue
        else:
            done = subprocess.run(["git", "merge-file", "-p"] + [str(case / s / name) for s in ("ours", "base", "theirs")],
                                  capture_output=True)
            if done.returncode != 0:
                bad.append(name)
            out = done.stdout
        if out is not None:
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(out)
    return bad


def check(kind, case):
    wrong = []
    info = json.loads((case / "case.json").read_text())
    if not info.get("about") or not info.get("kind"):
        wrong.append("about or kind missing")
    for side in SIDES:
        all_files = list(files(case / side))
        python = [f for f in all_files if f.endswith(".py")]
        if not 2 <= len(python) <= 6 or len(python) != len(all_files):
            wrong.append("%s: %d Python files of %d" % (side, len(python), len(all_files)))
        if not any(f.startswith("tests/test_") for f in python):
            wrong.append(side + ": no tests")
        if tests(case / side) != 0:
            wrong.append(side + ": own tests do not pass")
    base, ours, theirs = (files(case / s) for s in SIDES)
    if base == ours or base == theirs:
        wrong.append("a side changes nothing")
    if kind == "conflicts":
        name, _, line = (info.get("where") or "").rpartition(":")
        if info.get("side") not in ("ours", "theirs"):
            wrong.append("side")
        else:
            text = files(case / info["side"]).get(name, b"").decode().split("\n")
            if not line.isdigit() or not 1 <= int(line) <= len(text) or not text[int(line) - 1].strip():
                wrong.append("where names no line")
            elif text[int(line) - 1] in base.get(name, b"").decode().split("\n"):
                wrong.append("where names a line that is in base")
    elif info.get("where") is not None:
        wrong.append("where of a twin is not null")
    with tempfile.TemporaryDirectory() as tmp:
        tree = Path(tmp) / "merged"
        tree.mkdir()
        bad = merge(case, tree)
        if bad:
            wrong.append("textual conflict: " + ", ".join(bad))
        else:
            code = run([sys.executable, str(case / "probe.py")], tree, PYTHONPATH=str(tree))
            if (code != 0) != (kind == "conflicts"):
                wrong.append("probe exit code %d" % code)
            info["merged_tests"] = "pass" if tests(tree) == 0 else "fail"
            if kind == "twins" and info["merged_tests"] != "pass":
                wrong.append("merged tests of a twin fail")
            (case / "case.json").write_text(json.dumps(info, indent=2) + "\n")
    for path in case.rglob("*"):
        if path.name in ("__pycache__", ".pytest_cache"):
            wrong.append("left over: " + path.name)
    return wrong, info.get("merged_tests")


def main(wanted):
    failed = 0
    names = wanted or sorted({p.name for k in ("conflicts", "twins") for p in (HERE / k).iterdir()})
    for name in names:
        for kind in ("conflicts", "twins"):
            case = HERE / kind / name
            wrong, merged = check(kind, case) if case.is_dir() else (["missing"], None)
            failed += bool(wrong)
            print("%s/%s: %s (merged tests: %s)" % (kind, name, "; ".join(wrong) or "ok", merged), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
