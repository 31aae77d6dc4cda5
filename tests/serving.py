"""A served copy of an example: the real command in a process of its own, on a free port of loopback.

Every wait here has an end, and every process is over when its test is: what hangs fails one test, not the whole run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from graphbus_core.cli.examples import example
from graphbus_core.http.client import GraphBusClient
from tests import forking

START_S = 150  # against a hang alone: a busy machine takes its time
END_S = 10
V = TypeVar("V")


# What two of the agents of the news pipeline propose, where a test is about the table and not about evidence.
NEWS_SCRIPT = """\
default:
  evaluate: {decision: accept, reasoning: It keeps every link.}
agents:
  CleanerService:
    propose:
      - proposals:
          - type: schema_extension
            summary: Take feed_title and pass it on
            diff:
              - {op: add_field, method: clean, side: input, field: feed_title, type: str}
              - {op: add_field, method: clean, side: output, field: feed_title, type: str, default: feed_title}
  FormatterService:
    propose:
      - proposals:
          - type: schema_extension
            summary: Take any minutes, and go without an edition
            diff:
              - {op: retype_field, method: format_digest, side: input, field: minutes, type: float}
              - {op: set_optional, method: format_digest, side: input, field: edition, optional: true}
"""

# A text of nine million letters is sent, and one of them too many is taken: nobody makes one to look.
UNSURE = """\
from graphbus_core import GraphBusNode, depends_on, schema_method


class Giver(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"type": "object", "properties": {"row": {"type": "string",
        "minLength": 9000000}}, "required": ["row"]})
    def give(self):
        return {"row": ""}


class Taker(GraphBusNode):
    @depends_on("Giver.give")
    @schema_method(input_schema={"type": "object", "properties": {"row": {"type": "string",
        "minLength": 9000000, "maxLength": 9000001}}, "required": ["row"]}, output_schema={"paid": int})
    def take(self, row):
        return {"paid": 1}


class Till(GraphBusNode):
    @depends_on("Taker.take")
    @schema_method(input_schema={"owed": int}, output_schema={})
    def close(self, owed):
        return {}
"""


def write_news_script(folder: Path) -> str:
    """The script in a folder; gives the name of the model that plays it."""
    (folder / "script.yaml").write_text(NEWS_SCRIPT)
    return f"scripted:{folder / 'script.yaml'}"


def declare_items(folder: Path) -> None:
    """Declare in a copy of the news pipeline what the cleaner's `items` are, so that rules repair it unasked."""
    cleaner = folder / "agents" / "cleaner.py"
    text = cleaner.read_text().replace(
        "list[Headline],   # what", "Annotated[list[Headline], Alias('headlines')],   # what"
    )
    cleaner.write_text(
        text.replace("from graphbus_core import", "from typing import Annotated\n\nfrom graphbus_core import Alias,")
    )


def until(ask: Callable[[], V], within_s: float = 60) -> V:
    """The first answer that is true. Fails after `within_s`."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if found := ask():
            return found
        time.sleep(0.05)
    raise AssertionError(f"that did not come true within {within_s:g} s")


class Printing:
    """A process whose output goes to a file: nobody has to read it for the process to go on."""

    def __init__(self, command: Sequence[str], folder: Path, said: Path, environment: Mapping[str, str]) -> None:
        self.said = said
        with said.open("w") as out:
            self.process = forking.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
            )

    def printed(self, pattern: str, times: int = 1, within_s: float = START_S) -> list[re.Match[str]]:
        """The first matches of a pattern in what it printed, line by line. Fails where it ends or hangs before."""
        end = time.monotonic() + within_s
        while time.monotonic() < end:
            is_over = self.process.poll() is not None
            lines = self.said.read_text().split("\n")[:-1]  # the last may be half a line
            if len(found := [match for line in lines if (match := re.search(pattern, line))]) >= times:
                return found[:times]
            if is_over:
                break
            time.sleep(0.05)
        raise AssertionError(f"{pattern!r} was not printed {times} times:\n{self.said.read_text()}")

    def end(self, kindly: bool = True) -> None:
        """End it: first by asking, then by force."""
        if kindly:
            self.process.terminate()
            try:
                self.process.wait(END_S)
                return
            except subprocess.TimeoutExpired:
                pass
        self.process.kill()
        self.process.wait(END_S)


@dataclass
class Served:
    """A running server over `folder`."""

    url: str
    token: str
    folder: Path
    process: subprocess.Popen[bytes]

    def client(self) -> GraphBusClient:
        """A client with the token."""
        return GraphBusClient(self.url, self.token, timeout_s=30)


class V1:
    """`/api/v1` by plain HTTP, with nothing of ours: calls that must succeed, and `refused` for those that must not."""

    def __init__(self, served: Served, seat: str = "") -> None:
        """As the operator, or with the key of a seat."""
        head = {"Authorization": f"Bearer {seat or served.token}"}
        self.served = served
        self.http = httpx.Client(base_url=f"{served.url}/api/v1", headers=head, timeout=90)

    def __call__(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.http.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def refused(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
        """The status and the problem."""
        answer = self.http.request(method, path, json=body)
        assert answer.headers["content-type"] == "application/problem+json", answer.text
        return answer.status_code, answer.json()


@pytest.fixture
def serve(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """`serve("hello")` serves a fresh copy of that example, `serve(folder)` the `agents` of a folder as it is.

    More arguments go to the command, and keywords to its environment.
    """
    started: list[Printing] = []

    def start(name: str | Path, *arguments: str, **more: str) -> Served:
        folder = tmp_path / name
        if isinstance(name, str):
            shutil.copytree(example(name), folder, ignore=shutil.ignore_patterns("__pycache__", ".graphbus"))
        environment = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY") and k != "GRAPHBUS_TOKEN"}
        port = [] if "--port" in arguments else ["--port", "0"]
        command = [sys.executable, "-u", "-m", "graphbus_core.cli.main", "serve", "agents", *port, *arguments]
        said = tmp_path_factory.mktemp("served") / "said"
        started.append(Printing(command, folder, said, {**environment, **more}))
        [found] = started[-1].printed(r"(http://[^/\s]+)/(?:#token=(\S+))?")
        token = more.get("GRAPHBUS_TOKEN", "").strip() or found[2]
        return Served(found[1], token, folder, started[-1].process)

    try:
        yield start
    finally:
        for one in started:
            one.end()
