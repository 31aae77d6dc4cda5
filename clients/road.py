"""The main road through the generated Python and TypeScript clients: look, try, propose, approve, run, call, take back.

    python -m clients.road NODE_MODULES

NODE_MODULES holds the TypeScript compiler, which makes of the script what `node` runs. A server is started on
loopback for each script, on a fresh copy of an example, and stopped.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from clients.python.graphbus_api import GraphBus, Refused

HERE = Path(__file__).resolve().parent
LINK = "FetcherService.fetch_headlines => CleanerService.clean"
WITHIN_S = 90.0
# It mends a link of the news pipeline.
RENAME: dict[str, Any] = {
    "op": "rename_field",
    "node": "CleanerService",
    "method": "clean",
    "side": "input",
    "field": "items",
    "to": "headlines",
}


@contextmanager
def served() -> Iterator[tuple[str, str]]:
    """The address and the token of a server over a fresh copy of the news pipeline."""
    with TemporaryDirectory() as folder:
        home = Path(folder) / "news"
        shutil.copytree(HERE.parent / "examples" / "news_pipeline", home, ignore=shutil.ignore_patterns(".graphbus"))
        (home / "pyproject.toml").write_text('[project]\nname = "road"\nversion = "0"\n')
        command = [sys.executable, "-u", "-m", "graphbus_core.cli.main", "serve", "agents", "--port", "0"]
        server = subprocess.Popen(command, cwd=home, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            found = next(m for line in server.stdout if (m := re.search(r"(http://\S+)/#token=(\S+)", line)))
            yield found[1], found[2]
        finally:
            server.terminate()
            server.wait(10)


def python_road(address: str, token: str) -> None:
    """Every step must come out as it says; AssertionError where one does not."""
    bus = GraphBus(address, token)
    assert bus.get_picture()["mismatches"] == 2
    assert bus.try_change({"diff": [RENAME]})["mends"] == [LINK]
    proposal: Any = {"agent": "CleanerService", "diff": [RENAME], "summary": "headlines"}
    build = bus.start_build({"approve": True, "rounds": 1, "model": "rules", "proposal": proposal})["id"]
    ends = time.monotonic() + WITHIN_S
    while bus.get_build(build)["state"] == "running" and time.monotonic() < ends:
        for question in bus.list_questions()["items"]:
            bus.answer_question(question["id"], {"approve": True})
        time.sleep(0.1)
    assert bus.get_build(build)["committed"] == 1
    assert bus.get_picture()["mismatches"] == 1
    (entry,) = [one for one in bus.get_why("CleanerService.clean")["entries"] if one["outcome"] == "committed"]
    bus.start_runtime({"payload_checks": "off"})
    assert bus.call_node("FormatterService", {"method": "first_sentence", "payload": {"text": "One. Two."}})["result"]
    assert bus.publish_event({"topic": "/News/Digest", "payload": {"digest": "x"}})["event_id"]
    bus.stop_runtime()
    assert bus.undo_proposal(entry["id"], {"allow_mismatches": True})["done"]
    refused = None
    try:
        bus.get_node("Nobody")
    except Refused as e:
        refused = e
    assert refused is not None
    assert refused.problem["status"] == 404


def typescript_road(address: str, token: str, modules: Path) -> None:
    """The same, by road.ts."""
    with TemporaryDirectory() as folder:
        # As a program of Node's own modules is compiled, with every check on: what a user's project does.
        how = ["--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom", "--types", "", "--strict"]
        (Path(folder) / "package.json").write_text('{"type": "module"}')
        for name in ("graphbus.ts", "road.ts"):
            shutil.copy(HERE / "typescript" / name, folder)
        compiler = str((modules / ".bin" / "tsc").resolve())
        subprocess.run([compiler, *how, "road.ts"], cwd=folder, check=True, timeout=60)
        subprocess.run(
            ["node", "--experimental-websocket", "road.js", address, token], cwd=folder, check=True, timeout=WITHIN_S
        )


def main(modules: Path) -> None:
    """Both roads, each on a server of its own."""
    with served() as (address, token):
        python_road(address, token)
        print("The main road through the Python client: done.")
    with served() as (address, token):
        typescript_road(address, token, modules)
        print("The main road through the TypeScript client: done.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
