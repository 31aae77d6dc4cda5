"""What the tests of models share: asks made by hand, seats behind a scripted server. No key, no network."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from graphbus_core.config import LLMConfig
from graphbus_core.negotiation.core import Ask
from graphbus_core.participants.llm import LLMParticipant, Table, seat
from graphbus_core.testing import ModelServer, Script

KEY = "sk-test-0123456789-abcdefghij-ABCDEF"
STR_LIST = {"type": "array", "items": {"type": "string"}}


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test may see a key of this machine, nor reach a provider by accident."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL")):
            monkeypatch.delenv(name)


def card(name: str = "Cleaner", source: str | None = None, **more: Any) -> dict[str, Any]:
    fields = {"type": "object", "properties": {"items": STR_LIST}, "required": ["items"]}
    return {
        "name": name,
        "file": f"agents/{name.lower()}.py",
        "system_prompt": f"I am {name}.",
        "methods": [{"name": "clean", "input": fields, "output": fields, "parameters": []}],
        "topics": [],
        "subscriptions": [],
        "depends_on": [],
        **({"source": source} if source else {}),
        **more,
    }


def propose(name: str = "Cleaner", number: int = 1, **about: Any) -> Ask:
    full = {
        "round": number,
        "card": card(name, source=f"class {name}:\n    def clean(self, items):\n        return {{'items': items}}\n"),
        "neighbours": [card("Fetcher")],
        "mismatches": [],
        "intent": None,
        "goals": [],
        "history": [],
        "limits": {"max_proposals_per_round": 1},
        **about,
    }
    return Ask(f"r{number}/propose/{name}", name, "propose", full)


def evaluate(name: str = "Cleaner", proposal_id: str = "p-1", **about: Any) -> Ask:
    proposal = {
        "proposal_id": proposal_id,
        "proposer": "Fetcher",
        "round": 1,
        "type": "schema_extension",
        "diff": [{"op": "remove_field", "node": "Fetcher", "method": "clean", "side": "output", "field": "x"}],
        "summary": "less",
        "rationale": "simpler",
    }
    full = {
        **propose(name).about,
        "proposal": proposal,
        "computed": {"type": "breaking_change", "affected": [name], "changes": [], "breaks": []},
        **about,
    }
    return Ask(f"r1/evaluate/{proposal_id}/{name}", name, "evaluate", full)


Seat = Callable[..., tuple[LLMParticipant, ModelServer]]


@pytest.fixture
def served() -> Any:
    """served(script lines, **LLMConfig fields) -> (participant, server): a model behind HTTP on loopback."""
    servers: list[ModelServer] = []

    def make(line: Any, model: str = "anthropic:claude-sonnet-5-5", watch: Any = None, **config: Any) -> Any:
        lines = line if isinstance(line, dict) and all(isinstance(k, tuple) for k in line) else {("*", "*"): line}
        server = ModelServer(Script(lines)).start()
        servers.append(server)
        url = server.anthropic_url if model.startswith("anthropic") else server.openai_url
        llm = LLMConfig(model=model, **{"api_key": KEY, "base_url": url, "timeout_s": 4.0, **config})
        table = Table.of(llm, watch, environ={})
        return seat(llm, ["Cleaner"], table=table)["Cleaner"], server

    yield make
    for server in servers:
        server.stop()
