"""Builds over the API: cancelled however early, resumed with their people, and refused where nobody would be asked."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from graphbus_core.http.client import ApiError, GraphBusClient
from tests import forking
from tests.serving import Served, until

Serve = Callable[..., Served]


def ended(client: GraphBusClient, run: str) -> Any:
    return until(lambda: client.build(run)["state"] != "running" and client.build(run))


def test_cancelled_at_once(serve: Serve) -> None:
    """A cancel that comes before the negotiation begins is not lost."""
    with serve("news_pipeline").client() as client:
        run = client.start_build(approve=True, model="rules")["id"]
        client.cancel_build(run)
        assert ended(client, run)["state"] == "cancelled"
        assert client.questions()["questions"] == []


def test_a_person_is_asked_again_after_a_resume(serve: Serve) -> None:
    """Whom a person spoke for is kept: no rule sits down there, and what was answered is not asked again."""
    served = serve("news_pipeline")
    people = ["CleanerService", "FetcherService"]
    with served.client() as client:
        with pytest.raises(ApiError, match="no unfinished negotiation"):
            client.start_build(resume=True)
        run = client.start_build(humans=people, model="rules")["id"]
        first, second = until(lambda: len(found := client.questions()["questions"]) == 2 and found)
        client.answer(first["id"], {"proposals": []})
        client.cancel_build(run)
        ended(client, run)
        command = [sys.executable, "-m", "graphbus_core.cli.main", "build", "agents", "--enable-agents", "--resume"]
        done = forking.run(
            command, cwd=served.folder, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 2
        assert "CleanerService, FetcherService" in done.stderr
        with pytest.raises(ApiError, match="leave out rounds"):
            client.start_build(resume=True, rounds=2)
        run = client.start_build(resume=True)["id"]
        asked = until(lambda: client.questions()["questions"])
        assert [q["id"] for q in asked] == [second["id"]]
        while client.build(run)["state"] == "running":
            for question in client.questions()["questions"]:
                said = {"proposals": []} if question["kind"] == "propose" else {"decision": "accept", "reasoning": "ok"}
                client.answer(question["id"], said)
            time.sleep(0.05)
        assert client.build(run)["state"] == "done"


def test_nobody_to_speak_for(serve: Serve) -> None:
    """A misspelled agent, and people in a build that asks nobody, are refused before anything starts."""
    with serve("news_pipeline").client() as client:
        for settings, said in (
            ({"humans": ["FetcherServise"]}, "Did you mean 'FetcherService'"),
            ({"humans": ["FetcherService"], "enable_agents": False}, "asks nobody"),
        ):
            with pytest.raises(ApiError, match=said) as refused:
                client.start_build(**settings)
            assert refused.value.status == 422
        assert client.builds()["builds"] == []
