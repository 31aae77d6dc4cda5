"""The command line and the environment in which code is run that nobody has reviewed: what it may see and touch.

Everything is left out that is not named here: a folder, a variable, a right. Bounds of time and memory: `watch.py`.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from graphbus_core.build.confine.watch import Limits

NOBODY = 65534
STRANGERS = range(1_500_000_000, 2_000_000_000)  # user ids that no system gives out
_ordinals = itertools.count()
SHARED_MB = 64  # of /dev/shm
_CONFINED = Path(__file__).with_name("confined.py")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/alternatives", "/etc/localtime", "/etc/mime.types")


def environment(home: Path, python_path: Sequence[str] = ()) -> dict[str, str]:
    """A whole environment: nothing of ours is handed on but where programs are."""
    ours = str(Path(__file__).resolve().parents[3])
    return {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]),
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join([*python_path, *_added(), ours]),
    }


def stranger() -> int:
    """A user that nobody is, for one run. The limit on processes counts all that a user has: as one and the same user,
    two runs at once would starve each other. Where this machine maps few ids, it is nobody after all."""
    number = STRANGERS[(os.getpid() * 4096 + next(_ordinals)) % len(STRANGERS)]
    try:
        rows = [[int(word) for word in line.split()] for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except (OSError, ValueError):
        return NOBODY
    return number if any(first <= number < first + many for first, _, many in rows) else NOBODY


def _added() -> list[str]:
    """Folders that the user put on the module path: editable installs, PYTHONPATH. Never a home or what holds one."""
    home = Path.home().resolve()
    found = []
    for entry in sys.path:
        path = Path(entry or "/").resolve()
        ours = path.is_relative_to(sys.base_prefix) or path.is_relative_to(sys.prefix)
        if path.is_dir() and not ours and path != Path.cwd() and not home.is_relative_to(path):
            found.append(str(path))
    return found


def _interpreter() -> list[str]:
    """The folders that the interpreter and its packages live in."""
    folders = {sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(os.path.realpath(sys.executable)).parent)}
    folders |= {p for p in sys.path if p.endswith(("site-packages", "dist-packages"))}
    ours = str(Path(__file__).resolve().parents[2])
    kept = [f for f in sorted({os.path.realpath(f) for f in folders} | folders) if not f.startswith(("/usr/", "/bin"))]
    return [f for f in dict.fromkeys([*kept, ours, *_added()]) if os.path.isdir(f) and f != "/usr"]


def command(
    kind: str,
    argv: Sequence[str],
    scratch: Path,
    at: Path,
    limits: Limits,
    tell: int | None,
    home: Path | None = None,
    uid: int = NOBODY,
) -> list[str]:
    """What to start, so that `argv` runs confined. `tell`: the descriptor on which it says what confines it.

    `uid`: whom it runs as where we are root.
    """
    root = os.getuid() == 0
    given = {
        "argv": list(argv),
        "cwd": str(at),
        "tell": tell,
        "uid": uid if root and kind == "bubblewrap" else None,
        "own": kind == "namespaces",
        "limits": {
            "RLIMIT_AS": limits.memory_mb << 22,
            "RLIMIT_CPU": int(limits.timeout_s) + 2,
            "RLIMIT_NPROC": limits.processes,
            "RLIMIT_FSIZE": limits.file_mb << 20,
            "RLIMIT_NOFILE": 512,
            "RLIMIT_CORE": 0,
        },
    }
    if kind != "bubblewrap":
        ours = str(Path(__file__).resolve().parents[3])  # `import` lists the folder that graphbus_core lies in
        given["read"] = [*_SYSTEM, *_ETC, *_interpreter(), ours, "/dev/urandom", "/dev/zero", "/proc"]
        given["write"] = [str(scratch), "/dev/null", *([str(home)] if home else [])]
        return [sys.executable, "-I", "-S", str(_CONFINED), json.dumps(given)]
    made = [shutil.which("bwrap") or "bwrap", "--die-with-parent", "--new-session"]
    if root:  # no user namespace: there the limit on processes would not hold
        made += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
        made += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        made += ["--unshare-all"]
    made += _system_folders()
    made += _project_folders(scratch, at)
    made += ["--remount-ro", "/dev", "--remount-ro", "/"]  # both lie in memory, where nothing bounds them
    return [*made, "--", sys.executable, "-I", "-S", "/tmp/.confined.py", json.dumps(given)]


def _system_folders() -> list[str]:
    """bubblewrap's words for what every program needs, and for the folders in memory that it may write."""
    made: list[str] = []
    for path in _SYSTEM:
        # On a merged /usr these are links. A bind would follow them, and the loader would look in vain.
        if os.path.islink(path):
            made += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            made += ["--ro-bind", path, path]
    for path in _ETC:
        made += ["--ro-bind-try", path, path]
    made += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(256 << 20), "--tmpfs", "/tmp"]
    return [*made, "--perms", "1777", "--size", str(SHARED_MB << 20), "--tmpfs", "/dev/shm"]


def _project_folders(scratch: Path, at: Path) -> list[str]:
    """bubblewrap's words for the copy, seen in the project's own place, and for the interpreter."""
    added = _added()
    # the project's own place holds the copy, whatever else lies there but the interpreter
    bound = [p for p in _interpreter() if p not in added or not (_within(at, p) or _within(p, at))]
    bound = [p for p in bound if not any(q != p and _within(p, q) for q in bound)]
    made: list[str] = []
    seen = {"/", "/tmp", *_SYSTEM}  # folders on the way are made open: bubblewrap makes them for root alone
    for option, source, to in (
        ("--bind", str(scratch), str(at)),
        *(("--ro-bind", path, path) for path in bound),
        ("--ro-bind", str(_CONFINED), "/tmp/.confined.py"),
    ):
        inside_bound = any(Path(to).is_relative_to(p) for p in (str(at), *bound) if p != to)
        for parent in [] if inside_bound else reversed(Path(to).parents):
            if str(parent) not in seen:
                seen.add(str(parent))
                made += ["--perms", "0755", "--dir", str(parent)]
        made += [option, source, to]
    return made


def _within(inner: Path | str, outer: Path | str) -> bool:
    return Path(inner).is_relative_to(outer)
