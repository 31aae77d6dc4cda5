"""The command line and the environment in which code is run that nobody has reviewed: what it may see and touch.

Everything is left out that is not named here: a folder, a variable, a right. Bounds of time and memory: `watch.py`.
"""

from __future__ import annotations

import itertools
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import IO

from graphbus_core.storage.private_folders import open_private_folder

# A process is watched until it ends: its time, memory, number of processes and output are bounded, for all its tree.
#
# What confines it stands in `command.py`. What is over a bound here is killed, with all that it started.


@dataclass(frozen=True)
class Limits:
    """The bounds of one run."""

    timeout_s: float = 30.0
    memory_mb: int = 1024  # in use by all processes together; each may address four times that
    processes: int = 128
    file_mb: int = 64
    output_bytes: int = 200_000  # kept; ten times that ends the run
    stop: threading.Event | None = field(default=None, compare=False, repr=False)  # set: the run is ended at once


@dataclass(frozen=True)
class RunResult:
    """How a run ended.

    `stopped`: the limit that ended it (`time`, `memory`, `processes`, `output`), `interrupt` where it was called off,
    or None.
    """

    returncode: int
    output: str
    stopped: str | None
    seconds: float

    @property
    def ok(self) -> bool:
        """It ended by itself, with success."""
        return self.returncode == 0 and self.stopped is None


def run_watched(
    command: Sequence[str], environment: dict[str, str], limits: Limits, cwd: Path, stdin: IO[bytes]
) -> RunResult:
    begun = time.monotonic()
    try:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=cwd,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as e:
        return RunResult(127, f"the sandbox could not be started: {e}", None, time.monotonic() - begun)
    assert process.stdout is not None
    output = bytearray()
    received, stopped = 0, None
    os.set_blocking(process.stdout.fileno(), False)
    looked = begun
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        while stopped is None:
            remaining = begun + limits.timeout_s - time.monotonic()
            if remaining <= 0:
                stopped = "time"
                break
            has_ended = process.poll() is not None  # asked first: what it wrote before its end is in the pipe by then
            if waiting.select(0 if has_ended else min(remaining, 0.05)):
                chunk = os.read(process.stdout.fileno(), 65_536)
                if not chunk:
                    break
                received += len(chunk)
                output += chunk[: max(0, limits.output_bytes - len(output))]
                if received > 10 * limits.output_bytes:
                    stopped = "output"
            elif has_ended:
                break
            if time.monotonic() - looked > 0.05:
                looked = time.monotonic()
                stopped = stopped or _find_exceeded_limit(process.pid, limits)
            if limits.stop is not None and limits.stop.is_set():
                stopped = "interrupt"
    if stopped is None:
        try:
            process.wait(max(0.1, begun + limits.timeout_s - time.monotonic()))
        except subprocess.TimeoutExpired:
            stopped = "time"
    _kill_tree(process)
    process.stdout.close()
    text = _remove_secrets(bytes(output).decode("utf-8", "replace"))
    if received > len(output):
        text += f"\n… {received - len(output):,} more bytes of output were not kept"
    return RunResult(process.returncode, text, stopped, time.monotonic() - begun)


def _remove_secrets(text: str) -> str:
    """Without keys: code may print what it found in files; this is shown and logged."""
    from graphbus_core.participants.secret_scrubber import Scrubber

    return Scrubber(environ=os.environ)(text) if text else text


def _find_exceeded_limit(pid: int, limits: Limits) -> str | None:
    """Whether the whole tree of processes is over its memory or its number.

    Counted are private pages, shared ones that belong to no file on a disk, and memory files that are open: each once.
    """
    pids = _list_process_tree(pid, 2 * limits.processes + 4)
    most = limits.memory_mb << 10  # kB
    private = shared = count = 0
    for process_id in pids:
        memory = _read_memory(f"/proc/{process_id}/status", ("RssAnon:", "RssShmem:"))
        if memory is not None:
            private, shared, count = private + memory[0], shared + memory[1], count + 1
    if count > 2 * limits.processes:
        return "processes"
    if private + shared > most:  # processes that share pages were counted once each: look closer
        shared = sum(
            (_read_memory(f"/proc/{process_id}/smaps_rollup", ("Pss_Shmem:",)) or [0])[0] for process_id in pids
        )
    return "memory" if private + max(shared, _measure_open_memory(pids)) > most else None


def _read_memory(file: str, names: Sequence[str]) -> list[int] | None:
    """Some lines of a table of the kernel, in kB; None where the process is gone."""
    try:
        with open(file) as lines:
            values = {line.split()[0]: int(line.split()[1]) for line in lines if line.startswith(tuple(names))}
    except (OSError, ValueError, IndexError):
        return None
    return [values.get(name, 0) for name in names]


def _measure_open_memory(pids: Sequence[int]) -> int:
    """What memory files take that these processes hold open, mapped or not, in kB."""
    sizes: dict[int, int] = {}
    for pid in pids:
        with suppress(OSError):
            for name in os.listdir(f"/proc/{pid}/fd"):
                path = f"/proc/{pid}/fd/{name}"
                with suppress(OSError):
                    if os.readlink(path).startswith("/memfd:"):
                        status = os.stat(path)
                        sizes[status.st_ino] = status.st_blocks // 2
    return sum(sizes.values())


def _list_process_tree(pid: int, most: int = 10_000) -> list[int]:
    processes: list[int] = []
    waiting = [pid]
    while waiting and len(processes) < most:
        current = waiting.pop()
        processes.append(current)
        try:
            with open(f"/proc/{current}/task/{current}/children") as file:
                waiting += [int(child) for child in file.read().split()]
        except (OSError, ValueError):
            continue
    return processes


def _kill_tree(process: subprocess.Popen[bytes]) -> None:
    """End the whole tree; the first process of a process namespace takes all others with it."""
    if process.poll() is None:
        with suppress(OSError):
            os.kill(process.pid, signal.SIGKILL)  # takes the first process of the namespace along, and that all others
        for pid in _list_process_tree(process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


NOBODY = 65534
UNUSED_USER_IDS = range(1_500_000_000, 2_000_000_000)  # user ids that no system gives out
_ordinals = itertools.count()
SHARED_MB = 64  # of /dev/shm
_CONFINED = Path(__file__).with_name("confined.py")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/alternatives", "/etc/localtime", "/etc/mime.types")


def build_environment(home: Path, python_path: Sequence[str] = ()) -> dict[str, str]:
    """A whole environment: nothing of ours is handed on but where programs are."""
    ours = str(Path(__file__).resolve().parents[2])
    return {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]),
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join([*python_path, *_list_added_folders(), ours]),
    }


def choose_user_id() -> int:
    """A user that nobody is, for one run. The limit on processes counts all that a user has: as one and the same user,
    two runs at once would starve each other. Where this machine maps few ids, it is nobody after all."""
    number = UNUSED_USER_IDS[(os.getpid() * 4096 + next(_ordinals)) % len(UNUSED_USER_IDS)]
    try:
        rows = [[int(word) for word in line.split()] for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except (OSError, ValueError):
        return NOBODY
    return number if any(first <= number < first + many for first, _, many in rows) else NOBODY


def _list_added_folders() -> list[str]:
    """Folders that the user put on the module path: editable installs, PYTHONPATH. Never a home or what holds one."""
    home = Path.home().resolve()
    folders = []
    entries = list(sys.path)
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    if script is not None and os.path.dirname(os.path.abspath(script)) in entries:
        # Python put it there. A module of that folder would stand before a namespace package of the tree.
        entries.remove(os.path.dirname(os.path.abspath(script)))
    for entry in entries:
        path = Path(entry or "/").resolve()
        ours = path.is_relative_to(sys.base_prefix) or path.is_relative_to(sys.prefix)
        if path.is_dir() and not ours and path != Path.cwd() and not home.is_relative_to(path):
            folders.append(str(path))
    return folders


def _list_interpreter_folders() -> list[str]:
    """The folders that the interpreter and its packages live in."""
    folders = {sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(os.path.realpath(sys.executable)).parent)}
    folders |= {p for p in sys.path if p.endswith(("site-packages", "dist-packages"))}
    ours = str(Path(__file__).resolve().parents[1])
    external = [
        f for f in sorted({os.path.realpath(f) for f in folders} | folders) if not f.startswith(("/usr/", "/bin"))
    ]
    return [f for f in dict.fromkeys([*external, ours, *_list_added_folders()]) if os.path.isdir(f) and f != "/usr"]


def build_command(
    kind: str,
    argv: Sequence[str],
    scratch: Path,
    mount_path: Path,
    limits: Limits,
    tell: int | None,
    home: Path | None = None,
    uid: int = NOBODY,
) -> list[str]:
    """What to start, so that `argv` runs confined. `tell`: the descriptor on which it says what confines it.

    `uid`: whom it runs as where we are root.
    """
    root = os.getuid() == 0
    request = {
        "argv": list(argv),
        "cwd": str(mount_path),
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
        ours = str(Path(__file__).resolve().parents[2])  # `import` lists the folder that graphbus_core lies in
        request["read"] = [*_SYSTEM, *_ETC, *_list_interpreter_folders(), ours, "/dev/urandom", "/dev/zero", "/proc"]
        request["write"] = [str(scratch), "/dev/null", *([str(home)] if home else [])]
        return [sys.executable, "-I", "-S", str(_CONFINED), json.dumps(request)]
    arguments = [shutil.which("bwrap") or "bwrap", "--die-with-parent", "--new-session"]
    if root:  # no user namespace: there the limit on processes would not hold
        arguments += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
        arguments += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        arguments += ["--unshare-all"]
    arguments += _build_system_mounts()
    arguments += _build_project_mounts(scratch, mount_path)
    arguments += ["--remount-ro", "/dev", "--remount-ro", "/"]  # both lie in memory, where nothing bounds them
    return [*arguments, "--", sys.executable, "-I", "-S", "/tmp/.confined.py", json.dumps(request)]


def _build_system_mounts() -> list[str]:
    """bubblewrap's words for what every program needs, and for the folders in memory that it may write."""
    options: list[str] = []
    for path in _SYSTEM:
        # On a merged /usr these are links. A bind would follow them, and the loader would look in vain.
        if os.path.islink(path):
            options += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            options += ["--ro-bind", path, path]
    for path in _ETC:
        options += ["--ro-bind-try", path, path]
    options += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(256 << 20), "--tmpfs", "/tmp"]
    return [*options, "--perms", "1777", "--size", str(SHARED_MB << 20), "--tmpfs", "/dev/shm"]


def _build_project_mounts(scratch: Path, mount_path: Path) -> list[str]:
    """bubblewrap's words for the copy, seen in the project's own place, and for the interpreter."""
    added = _list_added_folders()
    # the project's own place holds the copy, whatever else lies there but the interpreter
    bound = [
        p
        for p in _list_interpreter_folders()
        if p not in added or not (_is_within(mount_path, p) or _is_within(p, mount_path))
    ]
    bound = [p for p in bound if not any(q != p and _is_within(p, q) for q in bound)]
    options: list[str] = []
    created = {"/", "/tmp", *_SYSTEM}  # folders on the way are made open: bubblewrap makes them for root alone
    for option, source, to in (
        ("--bind", str(scratch), str(mount_path)),
        *(("--ro-bind", path, path) for path in bound),
        ("--ro-bind", str(_CONFINED), "/tmp/.confined.py"),
    ):
        inside_bound = any(Path(to).is_relative_to(p) for p in (str(mount_path), *bound) if p != to)
        for parent in [] if inside_bound else reversed(Path(to).parents):
            if str(parent) not in created:
                created.add(str(parent))
                options += ["--perms", "0755", "--dir", str(parent)]
        options += [option, source, to]
    return options


def _is_within(inner: Path | str, outer: Path | str) -> bool:
    return Path(inner).is_relative_to(outer)


# Where code that nobody has reviewed yet is run (design §13).
#
# bubblewrap where there is one: a file system that holds the interpreter, its packages and a scratch copy of the
# project, no network, no home, no keys. Else namespaces and Landlock, as far as the system lets us; `describe` says
# which, and what it does not protect against. In both, time, memory, processes and output are bounded.


@dataclass(frozen=True)
class Protection:
    """What confines a run here, and what it does not protect against."""

    kind: str  # bubblewrap | namespaces | limits
    lacking: tuple[str, ...]

    def __str__(self) -> str:
        names = {
            "bubblewrap": "bubblewrap: no network, no home, no keys; time, memory, processes and output are bounded",
            "namespaces": "no bubblewrap here; namespaces, Landlock and resource limits instead",
            "limits": "no bubblewrap and no namespaces here; resource limits alone",
        }
        rest = f". It does not protect against: {'; '.join(self.lacking)}" if self.lacking else ""
        return names[self.kind] + rest + "."


FORKS = "a fork bomb in the moment before it is seen (root knows no limit on processes: use another user)"
SOCKETS = "programs of this machine that listen on a socket file outside of /run (Docker, databases, agents)"
_ALWAYS = (
    "a flaw in the kernel itself",
    "a disk filled by many files within the time limit",
    "memory in System V segments",
)


@lru_cache(maxsize=4)
def describe(kind: str | None = None) -> Protection:
    """The strongest protection that works here; `kind` asks for one in particular."""
    if kind in (None, "bubblewrap") and _probe("bubblewrap") is not None:
        return Protection("bubblewrap", _ALWAYS)
    achieved = _probe("namespaces")
    if achieved is None or kind == "limits":
        lacking = ("the network", "reading any file that you can read", "writing any file that you can write")
        return Protection("limits", (*lacking, *_ALWAYS))
    words = {
        "network": "the network",
        "processes": "processes that outlive the run",
        "files": "reading and writing your files",
        "rights": "other rights, owners or times for files of yours",
        "list": "a list of the processes of this machine, with their command lines",
        "name": "another name for this machine",
        "powers": "the powers of root: its clock, its mounts, its modules",
    }
    missing = tuple(text for name, text in words.items() if not achieved.get(name))
    if os.getuid() == 0:
        missing += (FORKS,)
    none = not any(achieved.get(name) for name in ("network", "processes", "files"))
    return Protection(
        "limits" if none else "namespaces", (*missing, SOCKETS, "seeing that other files exist", *_ALWAYS)
    )


def _probe(kind: str) -> dict[str, bool] | None:
    if sys.platform != "linux" or (kind == "bubblewrap" and shutil.which("bwrap") is None):
        return None
    with tempfile.TemporaryDirectory(prefix="graphbus-probe-") as folder:
        os.chmod(folder, 0o755)
        reading, writing = os.pipe()
        try:
            with subprocess.Popen(
                build_command(
                    kind, [sys.executable, "-I", "-c", "pass"], Path(folder), Path(folder), Limits(), writing
                ),
                pass_fds=(writing,),
                env=build_environment(Path(folder)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            ) as process:
                os.close(writing)
                writing = -1
                try:
                    code = process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    return None
            reply = os.read(reading, 10_000)
            return dict(json.loads(reply)) if reply and code == 0 else None
        except OSError:
            return None
        finally:
            os.close(reading)
            if writing != -1:
                os.close(writing)


def run(
    argv: Sequence[str],
    scratch: Path,
    *,
    mount_path: Path | None = None,
    limits: Limits | None = None,
    python_path: Sequence[str] = (),
    stdin_data: bytes = b"",
    kind: str | None = None,
) -> RunResult:
    """Run a command on the scratch copy, which the command sees at `at` (the project's own place). `given` is its
    standard input.

    Without bubblewrap the copy stays where it is. Nothing is raised for what the command does. What it leaves in the
    copy is its own: never read, write or follow anything there afterwards.
    """
    limits = limits or Limits()
    if limits.stop is not None and limits.stop.is_set():
        return RunResult(-signal.SIGKILL, "", "interrupt", 0.0)
    protection = describe(kind)
    mount_path = mount_path if mount_path is not None and protection.kind == "bubblewrap" else scratch
    uid = NOBODY
    if os.getuid() == 0 and protection.kind == "bubblewrap":
        uid = choose_user_id()
        _give_to_user(scratch, uid)
    with ExitStack() as stack:
        home = inner = Path("/tmp")
        try:
            if protection.kind != "bubblewrap":
                home = inner = stack.enter_context(open_private_folder("home")) / "home"
                home.mkdir(0o700)
            stdin = stack.enter_context(tempfile.TemporaryFile())
            stdin.write(stdin_data)
            stdin.seek(0)
        except OSError as e:
            return RunResult(127, f"the sandbox could not be started: {e}", None, 0.0)
        return run_watched(
            build_command(protection.kind, argv, scratch, mount_path, limits, None, home, uid),
            build_environment(inner, [p.replace(str(scratch), str(mount_path), 1) for p in python_path]),
            limits,
            scratch,
            stdin,
        )


def _give_to_user(scratch: Path, uid: int) -> None:
    """As root the command runs as a stranger, so that limits on processes hold; the copy becomes the stranger's."""
    for folder, folders, files in os.walk(scratch):
        for name in (".", *folders, *files):
            os.chown(os.path.join(folder, name), uid, uid, follow_symlinks=False)
