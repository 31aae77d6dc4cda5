"""Proves what FORMAT.md asks of every case.  python check.py [--plain] [NN...]
--plain starts a new interpreter for every run instead of a fork (slower)."""
import json, os, runpy, shutil, signal, subprocess, sys, tempfile, traceback
from pathlib import Path

import pytest

os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
os.environ.pop("PYTHONPATH", None)
sys.dont_write_bytecode = True
PLAIN = "--plain" in sys.argv

HERE = Path(__file__).resolve().parent
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]


def env(tree=None):
    e = dict(os.environ, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTHONDONTWRITEBYTECODE="1")
    e.pop("PYTHONPATH", None)
    if tree:
        e["PYTHONPATH"] = str(tree)
    return e


def files(tree):
    return {p.relative_to(tree).as_posix(): p for p in sorted(tree.rglob("*"))
            if p.is_file() and "__pycache__" not in p.parts}


class Run:
    def __init__(self, returncode, text):
        self.returncode, self.stdout, self.stderr = returncode, text, text


def forked(tree, body):
    """Run body() in a child with the tree as working directory and first on the path (a fork saves
    the start of an interpreter and of pytest; the child has none of the project's modules)."""
    with tempfile.TemporaryFile() as out:
        pid = os.fork()
        if not pid:
            code = 99
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(out.fileno(), 2)
                signal.alarm(120)
                os.chdir(tree)
                sys.path[0] = str(tree)
                code = body()
            except SystemExit as exc:
                code = exc.code if isinstance(exc.code, int) else (exc.code is not None)
            except BaseException:
                traceback.print_exc()
                code = 1
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(int(code or 0))
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        out.seek(0)
        return Run(code, out.read().decode("utf-8", "replace"))


SEEN = {}


def tests(tree):
    """Equal trees (a twin's and its conflict's) run once."""
    key = tuple((n, p.read_bytes()) for n, p in files(tree).items())
    if key not in SEEN:
        if PLAIN:
            SEEN[key] = subprocess.run(PYTEST, cwd=tree, env=env(), capture_output=True, text=True, timeout=300)
        else:
            SEEN[key] = forked(tree, lambda: pytest.main(PYTEST[3:]))
    return SEEN[key]


def probe(case, tree):
    if PLAIN:
        return subprocess.run([sys.executable, str(case / "probe.py")], cwd=tree, env=env(tree),
                              capture_output=True, text=True, timeout=300)
    return forked(tree, lambda: runpy.run_path(str(case / "probe.py"), run_name="__main__") and 0)


def merge(case, out):
    """Three-way merge file by file; returns the problems."""
    b, o, t = (files(case / s) for s in ("base", "ours", "theirs"))
    wrong = []
    for name in sorted(set(b) | set(o) | set(t)):
        data = [m[name].read_bytes() if name in m else None for m in (b, o, t)]
        if data[1] == data[2] or data[2] == data[0]:
            result = data[1]
        elif data[1] == data[0]:
            result = data[2]
        elif None in data:
            wrong.append(f"{name}: added or removed on both sides")
            continue
        else:
            run = subprocess.run(["git", "merge-file", "-p", str(o[name]), str(b[name]), str(t[name])],
                                 capture_output=True)
            if run.returncode:
                wrong.append(f"{name}: textual conflict")
            result = run.stdout
        if result is not None:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_bytes(result)
    return wrong


def copy(src, dst):
    shutil.copytree(src, dst, ignore=shutil.ignore_patterns("__pycache__"))
    return dst


def check(group, number):
    case, wrong, note = HERE / group / number, [], []
    about = json.loads((case / "case.json").read_text())
    with tempfile.TemporaryDirectory() as tmp:
        tmp = Path(tmp)
        for side in ("base", "ours", "theirs"):
            have = files(case / side)
            if not 2 <= len(have) <= 6:
                wrong.append(f"{side}: {len(have)} files")
            if not any(n.startswith("tests/") for n in have):
                wrong.append(f"{side}: no tests")
            run = tests(copy(case / side, tmp / side))
            if run.returncode:
                wrong.append(f"{side}: own tests fail\n{run.stdout[-1500:]}{run.stderr[-500:]}")
        for side in ("ours", "theirs"):
            if {n: p.read_bytes() for n, p in files(case / side).items()} == \
               {n: p.read_bytes() for n, p in files(case / "base").items()}:
                wrong.append(f"{side}: changes nothing")
        merged = tmp / "merged"
        merged.mkdir()
        wrong += merge(case, merged)
        run = probe(case, copy(merged, tmp / "probed"))
        if group == "conflicts" and not run.returncode:
            wrong.append("probe passes on the conflict's merge")
        if group == "twins" and run.returncode:
            wrong.append(f"probe fails on the twin's merge\n{run.stderr[-1500:]}")
        if group == "conflicts":
            note.append((run.stderr.strip().splitlines() or ["?"])[-1][:90])
        if group == "conflicts":  # wrong only by the meeting: the new code alone does well
            alone = {s: probe(case, copy(case / s, tmp / (s + "p"))).returncode for s in ("ours", "theirs")}
            if alone[about["side"]]:
                note.append(f"probe on {about['side']} alone: fails")
        run = tests(merged)
        result = "fail" if run.returncode else "pass"
        if group == "twins" and run.returncode:
            wrong.append(f"the twin's merged tests fail\n{run.stdout[-1500:]}")
        if group == "conflicts":
            if about["side"] not in ("ours", "theirs"):
                wrong.append("side")
            name, line = about["where"].rsplit(":", 1)
            lines = (case / about["side"] / name).read_text().splitlines()
            if not 1 <= int(line) <= len(lines) or not lines[int(line) - 1].strip():
                wrong.append("where is no line")
            else:
                note.append(f"{about['side']} {about['where']}: {lines[int(line) - 1].strip()}")
        elif about["where"] is not None:
            wrong.append("a twin's where must be null")
        if not (about.get("about") and about.get("kind")):
            wrong.append("about or kind is empty")
    about["merged_tests"] = result
    (case / "case.json").write_text(json.dumps(about, indent=1) + "\n")
    print(f"{group}/{number} {'BAD' if wrong else 'ok'} merged_tests={result} {' | '.join(note)}", flush=True)
    for w in wrong:
        print("    " + w.replace("\n", "\n    "), flush=True)
    return not wrong


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    want = [n.zfill(2) for n in sys.argv[1:] if n != "--plain"]
    good = True
    for group in ("conflicts", "twins"):
        have = sorted(p.name for p in (HERE / group).iterdir() if p.is_dir())
        if not want and have != [f"{i:02}" for i in range(1, 21)]:
            print(f"{group}: not 01..20")
            good = False
    for n in want or have:
        for group in ("conflicts", "twins"):
            good = check(group, n) and good
    print("ALL GOOD" if good else "SOMETHING IS WRONG")
    sys.exit(not good)
