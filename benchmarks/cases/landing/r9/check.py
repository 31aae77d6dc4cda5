"""Check the pairs of this round: `python check.py [NN...]`.

For every pair it checks the layout, that each tree passes its own tests, that
the textual merge is clean, that the probe fails on the conflict's merge and
passes on the twin's, and that `where` names a line that is there.  It writes
`merged_tests` into case.json where absent, and complains where it differs.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TIMEOUT = 300  # generous: a loaded machine is slow


def env(**more):
    e = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    e.update(PYTHONDONTWRITEBYTECODE="1", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", **more)
    return e


def files(root):
    return {str(p.relative_to(root)) for p in root.rglob("*")
            if p.is_file() and "__pycache__" not in p.parts and ".pytest_cache" not in p.parts}


def run(cmd, cwd, **more):
    try:
        r = subprocess.run(cmd, cwd=cwd, env=env(**more), timeout=TIMEOUT,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return r.returncode, r.stdout
    except subprocess.TimeoutExpired:
        return "timeout", ""


def tests(root):
    return run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], root)


def merge(case, out):
    """Merge file by file; returns the textual conflicts."""
    trees = [case / s for s in ("base", "ours", "theirs")]
    bad = []
    for name in sorted(set().union(*map(files, trees))):
        b, o, t = ((d / name).read_bytes() if (d / name).is_file() else None for d in trees)
        if o == t or t == b:
            res = o
        elif o == b:
            res = t
        elif None in (b, o, t):
            bad.append(f"{name}: added or deleted against a change")
            continue
        else:
            r = subprocess.run(["git", "merge-file", "-p", *(str(trees[i] / name) for i in (1, 0, 2))],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if r.returncode:
                bad.append(f"{name}: merge-file says {r.returncode}")
            res = r.stdout
        if res is not None:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_bytes(res)
    return bad


def check(group, nn):
    case, faults = HERE / group / nn, []
    conflict = group == "conflicts"
    try:
        data = json.loads((case / "case.json").read_text())
    except (OSError, ValueError) as e:
        return [f"case.json: {e}"]
    if not (case / "probe.py").is_file():
        return ["probe.py: absent"]
    for key in ("about", "kind"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            faults.append(f"case.json: {key} is empty")

    with tempfile.TemporaryDirectory() as tmp:
        tmp = Path(tmp)
        for side in ("base", "ours", "theirs"):
            if not (case / side).is_dir():
                return [f"{side}/: absent"]
            names = files(case / side)
            if not 2 <= len(names) <= 6:
                faults.append(f"{side}: {len(names)} files")
            if not any(re.match(r"tests/test_\w+\.py$", n) for n in names):
                faults.append(f"{side}: no tests")
            if side != "base" and all((case / side / n).is_file() and (case / "base" / n).is_file()
                                      and (case / side / n).read_bytes() == (case / "base" / n).read_bytes()
                                      for n in names | files(case / "base")):
                faults.append(f"{side}: same as base")
            shutil.copytree(case / side, tmp / side)
            rc, out = tests(tmp / side)
            if rc != 0:
                faults.append(f"{side}: own tests give {rc}\n{out[-1500:]}")

        merged = tmp / "merged"
        merged.mkdir()
        faults += merge(case, merged)
        rc, out = tests(merged)
        found = "pass" if rc == 0 else "fail"
        if rc not in (0, 1, 2):
            return faults + [f"merged tests give {rc}\n{out[-1500:]}"]
        if not conflict and found == "fail":
            faults.append(f"twin's merged tests give {rc}\n{out[-1500:]}")
        if "merged_tests" not in data:
            data["merged_tests"] = found
            (case / "case.json").write_text(json.dumps(data, indent=2) + "\n")
        elif data["merged_tests"] != found:
            faults.append(f"merged_tests is {data['merged_tests']!r}, found {found!r}")

        shutil.copy(case / "probe.py", tmp / "probe.py")
        rc, out = run([sys.executable, str(tmp / "probe.py")], merged, PYTHONPATH=str(merged))
        if rc == "timeout":
            faults.append("probe does not end")
        if conflict and rc == 0:
            faults.append("probe passes on the conflict's merge")
        if conflict and "ModuleNotFoundError" in out:
            faults.append(f"probe cannot import\n{out[-800:]}")
        if not conflict and rc != 0:
            faults.append(f"probe gives {rc} on the twin's merge\n{out[-1500:]}")
        if os.environ.get("SHOW"):
            print(f"-- {group}/{nn} merged_tests={found} probe={rc}: {out.strip().splitlines()[-1:]}")

    if conflict:
        m = re.fullmatch(r"([\w./-]+):(\d+)", data.get("where") or "")
        if data.get("side") not in ("ours", "theirs"):
            faults.append("side is neither ours nor theirs")
        elif not m:
            faults.append(f"where is {data.get('where')!r}")
        else:
            f = case / data["side"] / m[1]
            lines = f.read_text().splitlines() if f.is_file() else []
            if not 1 <= int(m[2]) <= len(lines) or not lines[int(m[2]) - 1].strip():
                faults.append(f"where: no such line {data['where']}")
    elif "where" not in data or data["where"] is not None:
        faults.append("a twin's where must be null")

    for p in case.rglob("*"):
        if p.is_file() and p.suffix in (".py", ".json", ".ini", ".sql", ".txt") and re.search(
                r"/(work|home|root|Users|tmp)/", p.read_text()):
            faults.append(f"{p.relative_to(case)}: a path of a machine")
    return faults


def main(argv):
    groups = ("conflicts", "twins")
    wanted = argv or [f"{i:02d}" for i in range(1, 21)]
    extra = {d.name for g in groups for d in (HERE / g).iterdir()} - {f"{i:02d}" for i in range(1, 21)}
    bad = 0
    if extra:
        print("unexpected:", *sorted(extra))
        bad += 1
    jobs = [(g, nn) for nn in wanted for g in groups]
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for (g, nn), faults in zip(jobs, pool.map(lambda j: check(*j), jobs)):
            print(f"{g}/{nn}", "ok" if not faults else "FAULTY")
            for f in faults:
                print("   ", f.replace("\n", "\n    "))
            bad += bool(faults)
    print(f"{len(jobs) - min(bad, len(jobs))} of {len(jobs)} check")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
