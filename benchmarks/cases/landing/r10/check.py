"""Checks the pairs as FORMAT.md says and writes merged_tests: python check.py [NN...]"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENV = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
BAD = re.compile(r"/tmp/|/work/")


def files(d):
    return {str(p.relative_to(d)): p for p in d.rglob("*")
            if p.is_file() and "__pycache__" not in p.parts and ".pytest_cache" not in p.parts}


def run(args, cwd, env=ENV):
    return subprocess.run(args, cwd=cwd, env=env, capture_output=True, text=True, timeout=120)


def tests(d):
    with tempfile.TemporaryDirectory() as t:
        w = Path(t) / "p"
        shutil.copytree(d, w)
        return run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], w)


def merge(case, out):
    """Textual merge into out; list of problems."""
    bad = []
    b, o, t = (files(case / s) for s in ("base", "ours", "theirs"))
    for p in sorted(set(b) | set(o) | set(t)):
        rb, ro, rt = (x[p].read_bytes() if p in x else None for x in (b, o, t))
        if ro == rt:
            r = ro
        elif ro == rb:
            r = rt
        elif rt == rb:
            r = ro
        elif None in (rb, ro, rt):
            bad.append(f"{p}: added or deleted on both sides")
            continue
        else:
            m = subprocess.run(["git", "merge-file", "-p", o[p], b[p], t[p]], capture_output=True)
            if m.returncode:
                bad.append(f"{p}: textual conflict")
                continue
            r = m.stdout
        if r is not None:
            f = out / p
            f.parent.mkdir(parents=True, exist_ok=True)
            f.write_bytes(r)
    return bad


def check(folder, nn):
    case, bad = ROOT / folder / nn, []
    info = json.loads((case / "case.json").read_text())
    for s in ("base", "ours", "theirs"):
        n = len(files(case / s))
        if not 2 <= n <= 6:
            bad.append(f"{s}: {n} files")
        if not any(p.startswith("tests/") for p in files(case / s)):
            bad.append(f"{s}: no tests")
        r = tests(case / s)
        if r.returncode:
            bad.append(f"{s}: own tests fail\n{r.stdout[-1500:]}")
    for s in ("ours", "theirs"):
        new = [p for p in files(case / s) if p.startswith("tests/") and
               (p not in files(case / "base") or files(case / s)[p].read_bytes() != files(case / "base")[p].read_bytes())]
        if not new:
            bad.append(f"{s}: no tests of its own")
    for p, f in files(case).items():
        if BAD.search(f.read_text(encoding="utf-8")) or "#@W" in f.read_text(encoding="utf-8"):
            bad.append(f"{p}: path or marker inside")
    if folder == "conflicts":
        p, _, line = info["where"].rpartition(":")
        text = (case / info["side"] / p).read_text(encoding="utf-8").split("\n")
        if not text[int(line) - 1].strip():
            bad.append("where: empty line")
        info["_line"] = text[int(line) - 1].strip()
    elif info["where"] is not None:
        bad.append("twin with where")
    with tempfile.TemporaryDirectory() as t:
        out = Path(t) / "merged"
        out.mkdir()
        problems = merge(case, out)
        bad += problems
        r = tests(out)
        merged = "pass" if r.returncode == 0 else "fail"
        probe = run([sys.executable, str(case / "probe.py")], out, {**ENV, "PYTHONPATH": str(out)})
        for s in ("base", "ours", "theirs"):
            pass
    if folder == "conflicts" and probe.returncode == 0:
        bad.append("probe passes on the conflict")
    if folder == "twins" and probe.returncode:
        bad.append("probe fails on the twin\n" + probe.stderr[-800:])
    if folder == "twins" and merged != "pass":
        bad.append("tests fail on the twin's merge\n" + r.stdout[-1500:])
    line = info.pop("_line", "")
    info["merged_tests"] = merged
    (case / "case.json").write_text(json.dumps(info, indent=2, ensure_ascii=False) + "\n")
    last = (probe.stderr.strip().split("\n") or [""])[-1]
    print(f"{folder}/{nn} {'ok' if not bad else 'BAD'} tests={merged} {info['where'] or ''} | {line} | {last[:110]}")
    for b in bad:
        print("   ", b)
    return not bad, merged


def main(names):
    names = names or sorted(p.name for p in (ROOT / "conflicts").iterdir())
    results = [(f, *check(f, nn)) for nn in names for f in ("conflicts", "twins")]
    print(f"{sum(r[1] for r in results)} of {len(results)} ok; conflicts with merged tests passing: "
          f"{sum(r[0] == 'conflicts' and r[2] == 'pass' for r in results)}")
    return 0 if all(r[1] for r in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
