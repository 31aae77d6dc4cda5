"""`graphbus run --reload`: sources that were saved are built, and a new build is taken by the run.

Sources are looked at, not watched: a few hundred files cost a millisecond, on every system, also on network disks. The
build is a process of its own, so that the run loads nothing of it and goes on meanwhile.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.errors import GraphBusError

if TYPE_CHECKING:
    from graphbus_core.config import RuntimeConfig

# Several processes of one run: started, started again where one dies, stopped together.


PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0  # before a process that died is started again; doubled each time it dies soon
SOON_S = 10.0
IS_WORKER = "GRAPHBUS_IS_WORKER"  # set for the processes that are looked after: they build nothing themselves
LIFELINE = "GRAPHBUS_LIFELINE"  # set where standard input is a pipe that ends with the process above
GRACE_S = 5.0  # beyond the time for a stop, before a worker that does not end is killed


def remove_option(arguments: Sequence[str], option: str) -> list[str]:
    """The arguments without `--option VALUE` and `--option=VALUE`."""
    kept_arguments, skip = [], False
    for argument in arguments:
        if skip:
            skip = False
        elif argument == option:
            skip = True
        elif not argument.startswith(f"{option}="):
            kept_arguments.append(argument)
    return kept_arguments


def run_workers(number: int, arguments: Sequence[str], stop_s: float) -> int:
    """Run `graphbus run …` in so many processes until a signal comes; the number of the signal."""
    command = [sys.executable, "-m", "graphbus_core.cli.main", "run", *remove_option(arguments, "--workers"), "--wait"]
    over = threading.Event()
    came: list[int] = []

    def hear(signum: int, _: object) -> None:
        came.append(signum)
        over.set()

    before = {signal_number: signal.signal(signal_number, hear) for signal_number in (signal.SIGTERM, signal.SIGINT)}
    workers = [_Worker(command) for _ in range(number)]
    try:
        while not over.wait(0.2):
            for worker in workers:
                worker.look_after()
    finally:
        _stop_all([worker.process for worker in workers if worker.process is not None], stop_s)
        for signal_number, handler in before.items():
            signal.signal(signal_number, handler)
    return came[0]


class _Worker:
    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._pause_s = PAUSE_S
        self._again_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None
        self._start()

    def _start(self) -> None:
        # A session of its own: a Ctrl-C of the terminal reaches this process alone, which then asks each to stop.
        # Nothing is ever written to the pipe. The system closes it where this process ends, also by `kill -9`.
        env = {**os.environ, IS_WORKER: "1", LIFELINE: "1"}
        self.process = subprocess.Popen(self._command, stdin=subprocess.PIPE, start_new_session=True, env=env)
        self._since = time.monotonic()

    def look_after(self) -> None:
        """Start it again where it died."""
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            self._pause_s = min(self._pause_s * 2, LONGEST_PAUSE_S) if now - self._since < SOON_S else PAUSE_S
            print(
                f"graphbus: the worker {self.process.pid} ended ({self.process.returncode}); "
                f"another is started in {self._pause_s:g} s.",
                file=sys.stderr,
            )
            _close_pipe(self.process)
            self.process, self._again_at = None, now + self._pause_s
        elif self.process is None and now >= self._again_at:
            self._start()


def _stop_all(processes: list[subprocess.Popen[bytes]], stop_s: float) -> None:
    for process in processes:
        process.terminate()
    end = time.monotonic() + stop_s + GRACE_S
    for process in processes:
        try:
            process.wait(max(end - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        _close_pipe(process)


def _close_pipe(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()


def end_with_parent(stop_s: float) -> None:
    """In a worker: finish what is under way and end where the process above is gone. Elsewhere this does nothing.

    Nobody is left to look after such a worker, and a new run would find it working beside its own.
    """
    # Taken out: a command that a handler starts has the same environment, and a standard input of its own.
    if os.environ.pop(LIFELINE, None) is None:
        return
    pipe = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # a node that reads standard input finds it empty, as without --workers
    os.close(nothing)
    threading.Thread(target=_end_after, args=(pipe, stop_s), name="graphbus-lifeline", daemon=True).start()


def _end_after(pipe: int, stop_s: float) -> None:
    with contextlib.suppress(OSError):
        while os.read(pipe, 1024):
            pass
    os.kill(os.getpid(), signal.SIGTERM)  # the stop that the process above would have asked for
    with contextlib.suppress(OSError, ValueError):  # who read this may be gone, too
        print("graphbus: the process that looks after this worker is gone; the worker ends.", file=sys.stderr)
    time.sleep(stop_s + GRACE_S)
    os._exit(1)


LOOK_S = 0.3  # between two looks
BUILD_S = 600.0  # a build that takes longer is given up
MAX_FILES = 20_000
NOT_SOURCES = frozenset(("__pycache__", "node_modules", "site-packages", "venv", "build", "dist"))
Files = dict[str, tuple[int, int]]


@contextmanager
def watch_build(
    config: RuntimeConfig, tell: Callable[[str, bool], None], take: Callable[[], str | None] | None
) -> Iterator[None]:
    """`--reload`: look after the sources and the build meanwhile. Of `--workers` the process above builds, once."""
    if not config.reloadable:
        yield
        return
    looking = BuildWatcher(config.artifacts_dir, tell, take, rebuild=not os.environ.get(IS_WORKER))
    if looking.root is None and not os.environ.get(IS_WORKER):
        tell("The sources of this build are not here, so what is saved is not built; a new build is taken.", True)
    looking.start()
    try:
        yield
    finally:
        looking.stop()


class BuildWatcher:
    """Looks after one build folder in a thread of its own. `reload` takes a new build and says what it did; `tell` is
    given what is to be shown, and whether it is a problem. With `rebuild` saved sources are built.
    """

    def __init__(
        self,
        artifacts: str | Path,
        tell: Callable[[str, bool], None],
        reload: Callable[[], str | None] | None,
        *,
        rebuild: bool = True,
    ) -> None:
        self._artifacts, self._tell, self._reload = Path(artifacts), tell, reload
        self.root = find_root(self._artifacts) if rebuild else None
        self._saved = self._stamp_sources()
        self._unsettled: Files | None = None
        self._built = self._read_manifest_digest()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="graphbus-reload", daemon=True)

    def start(self) -> None:
        """Look from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; a reload under way ends first."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(30)

    def look(self) -> None:
        """Build what was saved; take what was built."""
        if self.root is not None:
            now = self._stamp_sources()
            if now != self._saved and now != self._unsettled:
                self._unsettled = now  # an editor may still be writing: at the next look, if nothing else comes
            elif now != self._saved:
                self._saved, self._unsettled = now, None
                self._build(self.root)
        built = self._read_manifest_digest()
        if built and built != self._built:
            self._built = built
            self._take()

    def _take(self) -> None:
        if self._reload is None:
            return
        try:
            did = self._reload()
        except GraphBusError as e:
            self._tell(str(e), True)
            return
        if did:
            self._tell(did, False)

    def _build(self, root: Path) -> None:
        command = [sys.executable, "-m", "graphbus_core.cli.main", "build", str(root), "-o", str(self._artifacts)]
        try:
            process = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_S, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self._tell(f"The build took longer than {BUILD_S:g} s and was given up. The run goes on as it was.", True)
            return
        if process.returncode == 1:  # it is built, and something was found
            self._tell(f"The build has findings: {_take_first_line(process.stdout)}", True)
        elif process.returncode:
            failure_text = process.stderr.strip().removeprefix("graphbus: ") or _take_first_line(process.stdout)
            self._tell(f"{failure_text} So nothing was reloaded; the run goes on as it was.", True)

    def _read_manifest_digest(self) -> str:
        try:
            return str(json.loads((self._artifacts / "manifest.json").read_bytes())["digest"])
        except (OSError, ValueError, KeyError, TypeError):
            return ""  # a build is being written

    def _stamp_sources(self) -> Files:
        stamps: Files = {}
        for path in _list_source_files(self.root) if self.root is not None else ():
            try:
                file_stat = os.stat(path)
            except OSError:
                continue
            stamps[path] = file_stat.st_mtime_ns, file_stat.st_size
            if len(stamps) >= MAX_FILES:
                break
        return stamps

    def _run(self) -> None:
        while not self._over.wait(LOOK_S):
            try:
                self.look()
            except Exception as e:  # a look that fails is no reason to stop the run, or the looking
                self._tell(f"looking for changes: {type(e).__name__}: {e}", True)


def find_root(artifacts: Path) -> Path | None:
    """What a build was made of: as its command said it, from here or from beside the folder. None: it is not there."""
    try:
        root_package = str(json.loads((artifacts / "build_summary.json").read_bytes())["root_package"])
        modules = json.loads((artifacts / "manifest.json").read_bytes())["modules"].values()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    files = [module["file"].partition("/")[2] for module in modules if module.get("file")]
    for base in (Path(), artifacts.resolve().parent):
        root = base / root_package
        # `agents/shop.py` under the project; where the agents' folder itself was built, beside it.
        if root.is_dir() and any((folder / file).is_file() for folder in (root, root.parent) for file in files):
            return root
    return None


def _list_source_files(root: Path) -> Iterator[str]:
    for folder, inside, files in os.walk(root):
        inside[:] = [name for name in inside if not name.startswith(".") and name not in NOT_SOURCES]
        yield from (os.path.join(folder, name) for name in files if name.endswith(".py") or name == "pyproject.toml")


def _take_first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
