"""What outsiders hold on to, as a running version says it: the documents of its server, and what MCP clients see.

Words for people (`PROSE`) are left out: they may be said better at any time.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

PROSE = {"summary", "description", "title", "examples", "version", "instructions"}
DOCUMENTS = {
    "openapi": "/openapi.json",
    "v1-openapi": "/api/v1/openapi.json",
    "v1-asyncapi": "/api/v1/asyncapi.json",
}
START_S = 150  # against a hang alone: a busy machine takes its time


def said(python: Sequence[str], here: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """All of it, of the version that `python` runs, over the `agents` in a folder."""
    with subprocess.Popen(
        [*python, "-m", "graphbus_core.cli.main", "serve", "agents", "--port", "0", "--json"],
        cwd=here,
        env={**environment, "GRAPHBUS_TOKEN": "a-token-of-the-corpus"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            listed = asyncio.run(asyncio.wait_for(_mcp(python, here, environment), START_S))
            assert server.stdout is not None
            url = json.loads(server.stdout.readline())["url"]
            head = {"Authorization": "Bearer a-token-of-the-corpus"}
            with httpx.Client(base_url=url, headers=head, timeout=START_S) as client:
                found = {name: client.get(path).json() for name, path in DOCUMENTS.items()}
        finally:
            server.terminate()
    return {name: _kept(one) for name, one in {**found, "mcp": listed}.items()}


async def _mcp(python: Sequence[str], here: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    args = [*python[1:], "-m", "graphbus_core.cli.main", "mcp"]
    parameters = StdioServerParameters(command=python[0], args=args, env=dict(environment), cwd=here)
    async with Client(stdio_client(parameters)) as client:
        lists = {
            "tools": (await client.list_tools()).tools,
            "resources": (await client.list_resources()).resources,
            "templates": (await client.list_resource_templates()).resource_templates,
            "prompts": (await client.list_prompts()).prompts,
        }
    return {name: [one.model_dump(mode="json", exclude_none=True) for one in some] for name, some in lists.items()}


def _kept(value: Any, named: bool = False) -> Any:
    """Without words for people; what has names stands under them, so that one more moves nothing. `named`: the keys of
    this mapping are names of somebody's, such as fields."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if named or k not in PROSE}
        return {k: _kept(v, not named and k in ("properties", "schemas", "messages")) for k, v in sorted(kept.items())}
    if isinstance(value, list):
        if value and all(isinstance(one, dict) and "name" in one for one in value):
            return {one["name"]: _kept(one) for one in value}
        return [_kept(one) for one in value]
    return value


def lost(then: Any, now: Any, at: str = "") -> Iterator[str]:
    """What stood there then and is not there now, or is another thing. What came since is no loss, except a field that
    must be sent."""
    if isinstance(then, dict) and isinstance(now, dict):
        strict = then.get("additionalProperties") is False
        for key, value in then.items():
            where = f"{at}/{key}"
            if key not in now:
                yield where
            elif key == "required" and isinstance(value, list) and not strict:
                yield from (f"{where}/{name}" for name in value if name not in now[key])
            else:
                yield from lost(value, now[key], where)
        if strict:
            yield from (
                f"{at}: {name} must be sent now"
                for name in now.get("required", ())
                if name not in then.get("required", ())
            )
    elif then != now:
        yield f"{at}: {then!r} is {now!r} now"
