"""A space on a server as 0.2.0 left it, opened by this version.

What waits is handled, and a node goes on from its state. `v0_2_0/bus/given/store.json` is what a server (2.15.1) held
after 0.2.0 had run the build `v0_2_0/runtime`: two orders were packed, and three were published while nobody ran
`Packer`. Streams, consumers and messages are as the server told them.
"""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import time
from pathlib import Path
from typing import Any

from graphbus_core.build import BuildConfig, build_project
from graphbus_core.runtime import RuntimeExecutor
from graphbus_core.runtime.transports.nats.connection import BusSettings
from graphbus_core.runtime.transports.nats.dead_letters import BusDeadLetters
from tests.runtime.nats_server import NatsServer, needs_nats

CORPUS = Path(__file__).parent / "v0_2_0"


async def restore(server: NatsServer, streams: list[dict[str, Any]]) -> None:
    """Put streams, consumers and messages back, by the same requests that made them."""
    import nats

    connection = await nats.connect(f"nats://127.0.0.1:{server.port}")

    async def ask(what: str, body: dict[str, Any]) -> None:
        answer = json.loads((await connection.request(f"$JS.API.{what}", json.dumps(body).encode())).data)
        assert "error" not in answer, answer

    for stream in streams:
        name = stream["config"]["name"]
        await ask(f"STREAM.CREATE.{name}", {k: v for k, v in stream["config"].items() if k != "metadata"})
        for consumer in stream["consumers"]:
            config = {k: v for k, v in consumer["config"].items() if k != "metadata"}
            durable = config["durable_name"]
            await ask(f"CONSUMER.DURABLE.CREATE.{name}.{durable}", {"stream_name": name, "config": config})
        for message in stream["messages"]:
            lines = base64.b64decode(message.get("hdrs", "")).decode().split("\r\n")[1:]
            headers = dict(line.split(": ", 1) for line in lines if line)
            headers.pop("Nats-Expected-Last-Subject-Sequence", None)
            data = base64.b64decode(message.get("data", ""))
            await connection.jetstream().publish(message["subject"], data, headers=headers or None)
    await connection.close()


def wait_for(what: Any) -> None:
    end = time.monotonic() + 20
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


@needs_nats
def test_a_space_of_0_2_0_drains_with_its_build_and_with_one_made_today(tmp_path: Path) -> None:
    store = json.loads((CORPUS / "bus" / "given" / "store.json").read_text())
    given = CORPUS / "runtime" / "given"
    shutil.copytree(given / "dot-graphbus", tmp_path / "old")
    shutil.copytree(given / "agents", tmp_path / "agents")
    build_project(BuildConfig(root_package=str(tmp_path / "agents"), output_dir=str(tmp_path / "new")))
    for build in ("old", "new"):
        with NatsServer() as server:
            asyncio.run(restore(server, store))
            url = server.url("shop")
            with RuntimeExecutor(str(tmp_path / build), bus=url) as runtime:
                wait_for(lambda: len(runtime.call_method("Packer", "all")["packed"]) == 5)
                assert runtime.call_method("Packer", "all") == {"packed": [1, 2, 3, 4, 5]}
            assert not BusDeadLetters(BusSettings(url)).list_all()
