"""Commands that tests start as processes, forked from one process that has imported them already.

A process of `python -m graphbus_core.cli.main serve` spends two seconds on imports, and hundreds of tests start one.
Here it is the child of a mother process, one a worker of pytest, that has imported what the command needs and has done
nothing else. Everything after the imports is as ever: a process of its own, with its own folder, environment, standard
streams, signals and end. What the forked process cannot copy is started the plain way: another interpreter, another
program, variables that Python reads when it starts.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import io
import json
import os
import runpy
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
COMMAND = "graphbus_core.cli.main"
IMPORTED = (
    *("graphbus_core.cli.serve", "graphbus_core.http.server", "graphbus_core.cli.run.command"),
    *("graphbus_core.analysis.link_inference", "graphbus_core.runtime.transports.nats.transport"),
    *(
        "uvicorn.lifespan.on",
        "uvicorn.loops.asyncio",
        "uvicorn.protocols.http.auto",
        "uvicorn.protocols.websockets.auto",
    ),
    *("pydantic.v1", "typer._adapters"),
    *("graphbus_core.cli.build.command", "graphbus_core.services.validation", "graphbus_core.contracts.full_check"),
    *(
        "graphbus_core.cli.consent",
        "graphbus_core.mcp.server",
        "graphbus_core.lsp.server",
        "jsonschema",
        "anyio._backends._asyncio",
    ),
)
_READ_AT_START = ("PYTHON", "LC_", "LANG")  # variables with these beginnings are read once, by the interpreter
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
_LONGEST = 1 << 17
_mother: tuple[int, socket.socket, object] | None = None  # our process id, the way to ask, and the process


class Popen(subprocess.Popen[Any]):
    """A `subprocess.Popen` that forks where it can."""

    def _execute_child(self, args: Any, *rest: Any) -> None:
        executable, preexec, _, passed, cwd, env, _, _, shell = rest[:9]
        word = _read_command(args)
        session, others = rest[20], (*rest[16:20], *rest[21:])  # others: another user, a mask, a group
        plain = executable or preexec or passed or shell or others != (None, None, None, -1, -1)
        if word is None or plain or not sys.platform.startswith("linux") or _is_read_at_start(env):
            super()._execute_child(args, *rest)  # type: ignore[misc]
            return
        p2cread, _, _, c2pwrite, _, errwrite = rest[9:15]
        streams = [given if given >= 0 else number for number, given in enumerate((p2cread, c2pwrite, errwrite))]
        order = {**word, "cwd": os.fspath(cwd or os.getcwd()), "env": dict(os.environ if env is None else env)}
        self.pid = _fork({**order, "session": session}, streams)
        self._child_created = True
        self._close_pipe_fds(*rest[9:15])  # type: ignore[attr-defined]


def run(command: Any, **more: Any) -> subprocess.CompletedProcess[Any]:
    """`subprocess.run`, forked where it can be."""
    check, timeout, given = more.pop("check", False), more.pop("timeout", None), more.pop("input", None)
    if more.pop("capture_output", False):
        more.update(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if given is not None:
        more["stdin"] = subprocess.PIPE
    with Popen(command, **more) as process:
        try:
            out, err = process.communicate(given, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(command, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


@contextlib.contextmanager
def forked_by_asyncio() -> Iterator[list[Popen]]:
    """Within, what asyncio starts is forked where it can be. Gives what was started."""
    started: list[Popen] = []

    class Noted(Popen):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            started.append(self)

    module: Any = import_module("asyncio.unix_events")
    module.subprocess = SimpleNamespace(**{**vars(subprocess), "Popen": Noted})
    try:
        yield started
    finally:
        module.subprocess = subprocess


def _read_command(args: Any) -> dict[str, Any] | None:
    """The words after the module, and whether its output is unbuffered; None for any other command."""
    words = [os.fspath(word) for word in args] if isinstance(args, list | tuple) else []
    unbuffered = words[1:2] == ["-u"]
    del words[1 : 1 + unbuffered]
    if words[:3] != [sys.executable, "-m", COMMAND]:
        return None
    return {"words": words[3:], "unbuffered": unbuffered}


def _is_read_at_start(env: Any) -> bool:
    """Whether an environment differs from ours in what only a new interpreter would obey."""
    if env is None:
        return False
    changed = {name for name in {*env, *os.environ} if env.get(name) != os.environ.get(name)}
    if env.get("PYTHONPATH") == str(ROOT):
        changed.discard("PYTHONPATH")  # where the mother has everything from
    return any(name.startswith(_READ_AT_START) for name in changed)


def _fork(order: dict[str, Any], streams: list[int]) -> int:
    """The process id of a new child of ours."""
    global _mother
    if _mother is None or _mother[0] != os.getpid():
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "tests.forking", str(there.fileno())]
        with there:
            mother = subprocess.Popen(command, cwd=ROOT, pass_fds=[there.fileno()], stdin=subprocess.DEVNULL)
        _mother = os.getpid(), here, mother  # it ends with us, when nobody is left to ask
    # The mother forks twice. Who loses its parent goes to the nearest ancestor that takes such: for that time, us.
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_SUBREAPER, 1, 0, 0, 0)
    try:
        socket.send_fds(_mother[1], [json.dumps(order).encode()], streams)
        return int(_mother[1].recv(64))
    finally:
        libc.prctl(_SUBREAPER, 0, 0, 0, 0)


def _serve(door: socket.socket) -> None:
    """Fork whenever asked, until the one who asks is gone. Returns in each child, ready to run its command."""
    while True:
        order, streams, *_ = socket.recv_fds(door, _LONGEST, 3)
        if not order:
            os._exit(0)
        ours, theirs = os.pipe()
        between = os.fork()
        if between == 0:
            if os.fork():
                os._exit(0)
            if json.loads(order)["session"]:
                os.setsid()
            os.write(theirs, str(os.getpid()).encode())
            for end in (ours, theirs, door.detach()):
                os.close(end)
            _become(json.loads(order), streams)
            return
        os.waitpid(between, 0)  # from here on the child is theirs
        door.send(os.read(ours, 64))
        for end in (ours, theirs, *streams):
            os.close(end)


def _become(order: dict[str, Any], streams: list[int]) -> None:
    """Take the streams, the folder, the environment and the words of a command."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for stream in streams:
        os.close(stream)
    encoding = sys.stdout.encoding
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding)
    out = io.FileIO(1, "w", closefd=False)
    if order["unbuffered"]:
        sys.stdout = io.TextIOWrapper(out, encoding, write_through=True)  # type: ignore[type-var]
    else:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(out), encoding, line_buffering=out.isatty())
    err = io.BufferedWriter(io.FileIO(2, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(err, encoding, "backslashreplace", line_buffering=True)
    sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    sys.path[0] = os.getcwd()
    sys.argv = [COMMAND, *order["words"]]


def main() -> None:
    """The mother: import, then serve. A child goes on where a new interpreter with the command would begin."""
    for name in IMPORTED:
        import_module(name)
    sys.modules.pop(COMMAND, None)  # it is run, not imported
    gc.freeze()  # else each child looks through all that was imported, and so copies it
    _serve(socket.socket(fileno=int(sys.argv[1])))
    with contextlib.suppress(KeyError):
        del sys.modules["tests.forking"], sys.modules["tests"]
    try:
        runpy.run_module(COMMAND, run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        _end(ended.code)
        raise
    _end(None)


def _end(code: object) -> None:
    """End as an interpreter does, but for taking apart what the mother imported: 0.4 s a process. Returns where it must
    end in full: with a message, or where what it printed cannot be written."""
    if not (code is None or isinstance(code, int)):
        return
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit((code or 0) & 0xFF)


if __name__ == "__main__":
    main()
