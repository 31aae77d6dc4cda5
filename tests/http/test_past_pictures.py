"""The picture of the past: at each fact of a build the very account that was given when it was the present."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.serving import V1, Served, until, write_news_script

pytestmark = pytest.mark.timeout(240)
Serve = Callable[..., Served]
JOINED = "CleanerService.clean => FormatterService.format_digest"


def drawn(picture: dict[str, Any]) -> dict[str, Any]:
    """What a picture says, whatever the order and the place of its cards."""
    cards = sorted(picture["components"], key=lambda card: card["name"])
    return {
        "links": sorted(picture["links"], key=lambda link: link["id"]),
        "components": [{k: v for k, v in card.items() if k not in ("x", "y")} for card in cards],
    }


def build(ask: V1, **options: Any) -> str:
    """Build, and give the negotiation's id."""
    ask("POST", "/builds", options)
    until(lambda: ask("GET", "/builds")["items"][0]["state"] != "running", 120)
    run = ask("GET", "/builds")["items"][0]
    assert run["state"] == "done", run
    return str(run["build_id"])


def list_facts(ask: V1, negotiation: str) -> list[dict[str, Any]]:
    facts = ask("GET", f"/negotiations/{negotiation}/facts?limit=500")
    assert facts["next"] is None
    return list(facts["items"])


def test_at_each_fact_the_picture_is_what_it_was(serve: Serve) -> None:
    """At the start as before the build, with the same payloads and reasons; at the end as after it, and a later edit of
    the sources changes neither."""
    served = serve("news_pipeline")
    ask = V1(served)
    before = drawn(ask("GET", "/picture"))
    [link] = [one for one in before["links"] if one["id"] == JOINED]
    assert {one["target"] for one in link["fields"] if not one["fits"]} == {"feed_title", "minutes", "edition"}
    negotiation = build(ask, model=write_news_script(served.folder))
    after = drawn(ask("GET", "/picture"))
    commits = [fact["seq"] for fact in list_facts(ask, negotiation) if fact["kind"] == "proposal_committed"]
    assert len(commits) == 2

    def past(at: int) -> dict[str, Any]:
        return drawn(ask("GET", f"/negotiations/{negotiation}/picture?at={at}"))

    for at in (0, 1, 4, commits[0] - 1):
        assert past(at) == before, at
    between = past(commits[0])
    assert between not in (before, after)
    assert past(commits[1] - 1) == between
    cleaner = served.folder / "agents" / "cleaner.py"
    cleaner.write_text(cleaner.read_text().replace("articles", "stories"))
    now = drawn(ask("GET", "/picture"))
    assert "stories" in str(now)
    assert now != after
    last = ask("GET", f"/negotiations/{negotiation}")["events"]
    assert past(last) == past(commits[1]) == after
    assert drawn(ask("GET", f"/negotiations/{negotiation}/picture")) == after
    assert past(1) == before


def test_a_negotiation_without_a_project_has_no_picture(serve: Serve) -> None:
    """What is not there is refused by name."""
    served = serve("hello")
    ask = V1(served)
    status, problem = ask.refused("GET", "/negotiations/build-none/picture")
    assert (status, problem["code"]) == (404, "not_found")
    assert "build-none" in problem["detail"]
