"""The OpenAPI document is the contract: every operation works as it says, also for input that nobody would send."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.serving import Served, until

Serve = Callable[[str], Served]
# A body that keeps its schema and means nothing here is 422, and one above the limit is 413, as HTTP has it.
STATUSES = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "401", "403", "404", "409", "413", "422", "424", "429", "5xx"]
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "429", "5xx"]
"""
EXAMPLES = os.environ.get("GRAPHBUS_FUZZ", "4")  # cases an operation and phase; CI nights may want 100


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("document", "phases"),
    [
        ("openapi.json", "examples,coverage,fuzzing"),
        # Every parameter's every bound takes a minute more: nights, which raise GRAPHBUS_FUZZ, have the time.
        ("api/v1/openapi.json", "examples,fuzzing" if EXAMPLES == "4" else "examples,coverage,fuzzing,stateful"),
    ],
)
def test_fuzzed(serve: Serve, tmp_path: Path, document: str, phases: str) -> None:
    """No 5xx, no undocumented status, no answer outside its schema, and nothing is taken that breaks a schema."""
    served = serve("hello")
    config = tmp_path / "schemathesis.toml"
    config.write_text(STATUSES)
    schemathesis = Path(sys.executable).with_name("st")
    done = subprocess.run(
        [
            str(schemathesis),
            "--config-file",
            str(config),
            "run",
            f"{served.url}/{document}",
            "-H",
            f"Authorization: Bearer {served.token}",
            "--exclude-path",  # where nothing runs it answers 503, as supervisors expect; `test_health` has it
            "/health/ready",
            "--max-examples",
            EXAMPLES,
            "--phases",
            phases,
            "--seed",
            "1",
        ],
        capture_output=True,
        text=True,
        timeout=220,
    )
    assert done.returncode == 0, done.stdout[-12_000:]


@pytest.mark.timeout(120)
def test_every_operation_reaches_a_2xx(serve: Serve) -> None:
    """One walk through a real project in which every documented operation succeeds."""
    served = serve("news_pipeline")
    client = served.client()
    document = httpx.get(f"{served.url}/openapi.json", headers={"Authorization": f"Bearer {served.token}"}).json()
    assert document["security"] == [{"token": []}]
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    templates = {(m.upper(), path) for path, methods in document["paths"].items() for m in methods}
    reached: set[tuple[str, str]] = set()

    def note(answer: httpx.Response) -> None:
        if answer.is_success:
            path = answer.request.url.path
            reached.update(t for t in templates if t[0] == answer.request.method and _fits(t[1], path))

    client._http.event_hooks["response"].append(note)
    for ask in (client.health, client.graph, client.nodes, client.mismatches, client.builds, client.messages):
        ask()
    client.node("CleanerService")
    client.check({"type": "integer"}, {"type": "number"})
    cancelled = client.start_build(approve=True, model="rules")["id"]
    until(lambda: client.questions()["questions"])
    client.cancel_build(cancelled)
    until(lambda: client.build(cancelled)["state"] != "running")
    run = client.start_build(approve=True, model="rules")["id"]
    while client.build(run)["state"] == "running":
        for question in client.questions()["questions"]:
            if question["kind"] == "choose":
                said = {"choice": question["answer_schema"]["properties"]["choice"]["enum"][0]}
            else:
                said = {"approve": True}
            client.answer(question["id"], said)
        time.sleep(0.1)
    negotiation = client.negotiations()["negotiations"][0]["id"]
    client.negotiation(negotiation)
    client.negotiation_log(negotiation)
    client.why("CleanerService.clean")
    client.start_runtime("off")
    client.runtime()
    client.ready()
    client.metrics()
    client.history()
    articles = [{"title": "A", "link": "B", "summary": "C", "published": "D"}]
    client.call("CleanerService", "clean", {"headlines": articles, "feed_title": "E"})
    client.publish("/News/Digest", {"digest": "…"})
    client.stop_runtime()
    client.purge_dead_letters()
    _fail_a_delivery(served, client)
    client.close()
    assert sorted(templates - reached) == []


def _fail_a_delivery(served: Served, client: Any) -> None:
    """A handler that fails leaves a dead letter, which can be listed and retried."""
    extra = served.folder / "agents" / "fragile.py"
    extra.write_text(
        "from graphbus_core import GraphBusNode, subscribe\n\n\nclass Fragile(GraphBusNode):\n"
        '    @subscribe("/Fragile")\n    def on_it(self, payload):\n        raise ValueError("no")\n'
    )
    run = client.start_build(enable_agents=False)["id"]
    until(lambda: client.build(run)["state"] == "done")
    client.start_runtime("off")
    client.publish("/Fragile", {})
    letters = until(lambda: client.dead_letters()["dead_letters"])
    client.retry_dead_letter(letters[0]["id"])


def _fits(template: str, path: str) -> bool:
    ours, theirs = template.split("/"), path.split("/")
    if "{symbol}" in template or "{question_id}" in template:
        return path.startswith(template.partition("{")[0]) and path.endswith(template.partition("}")[2])
    return len(ours) == len(theirs) and all(a.startswith("{") or a == b for a, b in zip(ours, theirs, strict=True))
