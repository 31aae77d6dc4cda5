"""Check the pairs in this folder: python check.py [NN...]

For each NN, in conflicts/ and twins/: base, ours and theirs pass their own tests; every file merges without a textual
conflict; the merged program fails the probe (conflict) or passes it (twin); case.json is complete and `where` exists.
Writes `merged_tests` into case.json as found.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TREES = ("base", "ours", "theirs")


def files(root):
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*"))
            if p.is_file() and "__pycache__" not in p.parts and ".pytest_cache" not in p.parts}


def run(argv, cwd, timeout=60):
    env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=str(cwd), PYTHONHASHSEED="0")
    try:
        done = subprocess.run(argv, cwd=cwd, env=env, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return 124, "timeout"
    return done.returncode, done.stdout + done.stderr


def tests(tree):
    return run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], tree)


def probe(script, tree):
    return run([sys.executable, str(script)], tree)


def merge(case, out):
    """Write the textual merge into out; return the paths that conflict and those both sides changed."""
    base, ours, theirs = (files(case / name) for name in TREES)
    bad, both = [], []
    for path in sorted(set(base) | set(ours) | set(theirs)):
        b, o, t = base.get(path), ours.get(path), theirs.get(path)
        if o == t or t == b:
            text = o
        elif o == b:
            text = t
        elif None in (b, o, t):
            bad.append(path)
            continue
        else:
            both.append(path)
            done = subprocess.run(["git", "merge-file", "-p", str(case / "ours" / path), str(case / "base" / path),
                                   str(case / "theirs" / path)], capture_output=True)
            if done.returncode != 0:
                bad.append(path)
                continue
            text = done.stdout
        if text is not None:
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (out / path).write_bytes(text)
    return bad, both


def check(kind, number):
    """Return (problems, facts) of one case."""
    case = HERE / kind / number
    problems = []
    facts = {}
    for name in (*TREES, "probe.py", "case.json"):
        if not (case / name).exists():
            return [f"{name} is missing"], facts
    about = json.loads((case / "case.json").read_text())
    trees = {name: files(case / name) for name in TREES}
    for name in TREES:
        count = len(trees[name])
        if not 2 <= count <= 6:
            problems.append(f"{name} has {count} files")
        if not any(p.startswith("tests/test_") for p in trees[name]):
            problems.append(f"{name} has no tests")
        rc, text = tests(case / name)
        if rc != 0:
            problems.append(f"tests of {name} end with {rc}: {text[-900:]}")
    for name in ("ours", "theirs"):
        if trees[name] == trees["base"]:
            problems.append(f"{name} changes nothing")
        if not any(trees[name].get(p) != trees["base"].get(p) and not p.startswith("tests/")
                   for p in set(trees[name]) | set(trees["base"])):
            problems.append(f"{name} changes only tests")
    for key in ("about", "kind"):
        if not about.get(key):
            problems.append(f"case.json lacks {key}")
    if kind == "twins":
        if about.get("where") is not None:
            problems.append("a twin has a where")
    else:
        found = re.fullmatch(r"(\S+):(\d+)", about.get("where") or "")
        side = about.get("side")
        if side not in ("ours", "theirs") or not found:
            problems.append("where or side is wrong")
        else:
            lines = trees[side].get(found[1], b"").decode().splitlines()
            if int(found[2]) > len(lines) or not lines[int(found[2]) - 1].strip():
                problems.append("where names no line")
            else:
                facts["line"] = lines[int(found[2]) - 1].strip()
    work = pathlib.Path(tempfile.mkdtemp(prefix="landing-"))
    try:
        merged = work / "merged"
        merged.mkdir()
        bad, facts["both"] = merge(case, merged)
        if bad:
            problems.append("textual conflict: " + ", ".join(bad))
            return problems, facts
        rc, text = tests(merged)
        facts["merged_tests"] = about["merged_tests"] = "pass" if rc == 0 else "fail"
        if kind == "twins" and rc != 0:
            problems.append("tests of the twin's merge fail: " + text[-900:])
        (case / "case.json").write_text(json.dumps(about, indent=2) + "\n")
        rc, text = probe(case / "probe.py", merged)
        facts["probe"] = rc
        facts["says"] = (text.strip().splitlines() or [""])[-1]
        if kind == "conflicts" and rc in (0, 124):
            problems.append(f"the probe ends with {rc} on the conflict's merge")
        if kind == "twins" and rc != 0:
            problems.append(f"the probe ends with {rc} on the twin's merge: {text[-900:]}")
        for name in TREES:
            facts["probe_" + name] = probe(case / "probe.py", case / name)[0]
        if kind == "conflicts" and facts["probe_ours"] != 0 and facts["probe_theirs"] != 0:
            problems.append("the probe fails on both sides alone, so it does not show that the merge is at fault")
    finally:
        shutil.rmtree(work)
        for cache in case.rglob("__pycache__"):
            shutil.rmtree(cache, ignore_errors=True)
    return problems, facts


def main(argv):
    numbers = argv or sorted({p.name for kind in ("conflicts", "twins") for p in (HERE / kind).iterdir()})
    failed = 0
    passing = 0
    for number in numbers:
        for kind in ("conflicts", "twins"):
            problems, facts = check(kind, number)
            failed += bool(problems)
            passing += kind == "conflicts" and facts.get("merged_tests") == "pass"
            print("BAD " if problems else "ok  ", kind, number, "merged tests", facts.get("merged_tests"), "| probe",
                  facts.get("probe"), "(alone: ours", facts.get("probe_ours"), "theirs", str(facts.get("probe_theirs")) + ")",
                  "|", facts.get("line", ""), "|", facts.get("says", ""), flush=True)
            for problem in problems:
                print("      ", problem)
    print(f"{len(numbers)} pairs, {failed} bad cases, {passing} conflicts whose merged tests pass")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
