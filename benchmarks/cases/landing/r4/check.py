"""Proves the cases: python check.py [NN...].  Writes merged_tests into each case.json."""
import json, os, shutil, subprocess, sys, tempfile
ROOT = os.path.dirname(os.path.abspath(__file__))
PY = sys.executable


def tree(folder):
    out = {}
    for d, subs, names in os.walk(folder):
        subs[:] = [s for s in subs if s not in ("__pycache__", ".pytest_cache")]
        for name in names:
            full = os.path.join(d, name)
            with open(full, "rb") as f:
                out[os.path.relpath(full, folder)] = f.read()
    return out


def put(folder, files):
    for path, data in files.items():
        full = os.path.join(folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as f:
            f.write(data)


def merge(b, o, t):
    """-> (merged tree, files merged by text, errors)."""
    out, both, errors = {}, [], []
    for path in sorted(set(b) | set(o) | set(t)):
        x, y, z = b.get(path), o.get(path), t.get(path)
        if y == z or z == x:
            got = y
        elif y == x:
            got = z
        elif x is None or y is None or z is None:
            errors.append("both sides add or delete " + path)
            continue
        else:
            both.append(path)
            with tempfile.TemporaryDirectory() as d:
                put(d, {"o": y, "b": x, "t": z})
                r = subprocess.run(["git", "merge-file", "-p", "o", "b", "t"], cwd=d, capture_output=True)
            if r.returncode:
                errors.append("textual conflict in " + path)
            got = r.stdout
        if got is not None:
            out[path] = got
    return out, both, errors


def run(files, args, timeout=60):
    with tempfile.TemporaryDirectory() as d:
        put(d, files)
        env = dict(os.environ, PYTHONPATH=d, PYTHONDONTWRITEBYTECODE="1", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
        try:
            r = subprocess.run([PY] + args, cwd=d, env=env, capture_output=True, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return 124, "timeout"
        return r.returncode, (r.stdout + r.stderr).strip()


def tests(files):
    return run(files, ["-m", "pytest", "-q", "-p", "no:cacheprovider"])


def check(group, nn):
    folder = os.path.join(ROOT, group, nn)
    bad, note = [], []
    b, o, t = (tree(os.path.join(folder, s)) for s in ("base", "ours", "theirs"))
    probe = os.path.join(folder, "probe.py")
    with open(os.path.join(folder, "case.json")) as f:
        data = json.load(f)
    for name, files in (("base", b), ("ours", o), ("theirs", t)):
        if not 2 <= len(files) <= 6:
            bad.append("%s has %d files" % (name, len(files)))
        if not any(p.startswith("tests/") for p in files):
            bad.append(name + " has no tests/")
        code, text = tests(files)
        if code:
            bad.append("%s: own tests fail\n%s" % (name, text[-1500:]))
    if o == b or t == b:
        bad.append("a side without a change")
    m, both, errors = merge(b, o, t)
    bad += errors
    note.append("both edit " + ",".join(both) if both else "one side per file")
    code, text = tests(m)
    data["merged_tests"] = "pass" if code == 0 else "fail"
    pcode, ptext = run(m, [probe], 20)
    note.append("probe: " + (ptext.split("\n")[-1][:110] if ptext else "silent"))
    if group == "conflicts":
        if pcode == 0:
            bad.append("probe passes on the conflict's merge")
        side = {"ours": o, "theirs": t}[data["side"]]
        path, line = data["where"].rsplit(":", 1)
        lines = side[path].decode().split("\n") if path in side else []
        if not 1 <= int(line) <= len(lines) or not lines[int(line) - 1].strip():
            bad.append("where names no line")
        acode, atext = run(side, [probe], 20)
        note.append("probe on %s alone: %s" % (data["side"], "passes" if acode == 0 else "FAILS"))
    else:
        if pcode:
            bad.append("probe fails on the twin's merge\n" + ptext[-800:])
        if code:
            bad.append("twin's merged tests fail\n" + text[-1500:])
        if data["where"] is not None:
            bad.append("where is not null")
        with open(probe) as f, open(os.path.join(ROOT, "conflicts", nn, "probe.py")) as g:
            if f.read() != g.read():
                bad.append("probe differs from the conflict's")
    with open(os.path.join(folder, "case.json"), "w") as f:
        json.dump(data, f, indent=1)
        f.write("\n")
    print("%s/%s %s  tests %s | %s" % (group, nn, "BAD" if bad else "ok ", data["merged_tests"], " | ".join(note)), flush=True)
    for line in bad:
        print("    " + line)
    return not bad, data["merged_tests"]


def main():
    want = sys.argv[1:] or sorted(os.listdir(os.path.join(ROOT, "conflicts")))
    ok, seen = True, []
    for nn in want:
        for group in ("conflicts", "twins"):
            good, merged = check(group, nn)
            ok = ok and good
            if group == "conflicts":
                seen.append(merged)
    print("conflicts: merged tests pass %d, fail %d; %s" % (seen.count("pass"), seen.count("fail"), "all good" if ok else "SOMETHING BAD"))
    return 0 if ok else 1


sys.exit(main())
