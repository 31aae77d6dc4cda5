"""A served copy of an example: the real command in a process of its own, on a free port of loopback."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graphbus_core.api.client import GraphBusClient
from graphbus_core.cli.examples import example


@dataclass
class Served:
    """A running server over `folder`."""

    url: str
    token: str
    folder: Path
    process: subprocess.Popen[str]

    def client(self) -> GraphBusClient:
        """A client with the token."""
        return GraphBusClient(self.url, self.token, timeout_s=30)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """`serve("hello")` serves a fresh copy of that example, `serve(folder)` the `agents` of a folder as it is.

    More arguments go to the command, and keywords to its environment.
    """
    started: list[subprocess.Popen[str]] = []

    def start(name: str | Path, *arguments: str, **more: str) -> Served:
        folder = tmp_path / name
        if isinstance(name, str):
            shutil.copytree(example(name), folder, ignore=shutil.ignore_patterns("__pycache__", ".graphbus"))
        environment = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY") and k != "GRAPHBUS_TOKEN"}
        port = [] if "--port" in arguments else ["--port", "0"]
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "graphbus_core.cli.main", "serve", "agents", *port, *arguments],
            cwd=folder,
            env={**environment, **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        assert process.stdout is not None
        seen = []
        for line in process.stdout:
            seen.append(line)
            if found := re.search(r"(http://[^/\s]+)/(?:#token=(\S+))?", line):
                return Served(found[1], more.get("GRAPHBUS_TOKEN", "").strip() or found[2], folder, process)
        raise AssertionError("".join(seen))

    yield start
    for process in started:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
