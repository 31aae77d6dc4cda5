"""`/api/v1` as a client meets it: problems, pages, ETags, headers, both talks, a change tried, taken and taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from clients.road import RENAME
from graphbus_core.cli.examples import example
from tests.serving import V1, Served, until

Serve = Callable[[str], Served]
LINK = "FetcherService.fetch_headlines => CleanerService.clean"
pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def v1(serve: Serve) -> Iterator[Callable[[str], V1]]:
    opened: list[V1] = []

    def start(name: str) -> V1:
        opened.append(V1(serve(name)))
        return opened[-1]

    yield start
    for one in opened:
        one.http.close()


def test_errors_are_problem_details(v1: Callable[[str], V1]) -> None:
    """Every refusal has the fields of RFC 9457, at the door as well as inside."""
    ask = v1("hello")
    status, told = ask.refused("GET", "/nodes/Greter")
    assert (status, told["status"], told["code"]) == (404, 404, "not_found")
    assert set(told) == {"type", "title", "status", "detail", "code", "path"}
    assert told["type"] == "urn:graphbus:problem:not_found"
    assert ask.refused("POST", "/runtime/start", {"payload_checks": "sometimes"})[1]["path"] == "payload_checks"
    assert ask.refused("GET", "/no-such-path")[0] == 404
    assert ask.refused("GET", "/nodes/a%0Ab")[0] == 404
    ask.http.headers.pop("authorization")
    assert ask.refused("GET", "/nodes")[1]["code"] == "no_token"


def test_lists_come_in_pages(v1: Callable[[str], V1]) -> None:
    """`next` leads through the whole list once, and is null at its end."""
    ask = v1("news_pipeline")
    seen, cursor = [], ""
    while cursor is not None:
        part = ask("GET", f"/nodes?limit=3{cursor and '&cursor=' + cursor}")
        assert len(part["items"]) <= 3
        seen += [one["name"] for one in part["items"]]
        cursor = part["next"]
    assert sorted(seen) == ["CleanerService", "FetcherService", "FormatterService", "PipelineArbiter"]


def test_what_did_not_change_is_not_sent_again(v1: Callable[[str], V1]) -> None:
    """An ETag comes with what is read, and 304 for whoever has it; a change makes another."""
    ask = v1("news_pipeline")
    first = ask.http.get("/picture")
    assert first.headers["content-encoding"] == "gzip"
    tag = {"If-None-Match": first.headers["etag"]}
    again = ask.http.get("/picture", headers=tag)
    assert (again.status_code, again.content) == (304, b"")
    cleaner = ask.served.folder / "agents" / "cleaner.py"
    cleaner.write_text(cleaner.read_text().replace("items", "headlines"))
    build = ask("POST", "/builds", {"model": "rules", "rounds": 1})["id"]
    until(lambda: ask("GET", f"/builds/{build}")["state"] != "running")
    assert ask.http.get("/picture", headers=tag).status_code == 200


def test_headers_for_browsers(serve: Serve) -> None:
    """No inline code, no sniffing, no frame, nothing private kept; refusals too."""
    served = serve("hello")
    for path, status, kept in (
        ("/", 200, "no-cache"),
        ("/graph", 401, "no-store"),
        ("/page/nothing.js", 404, "no-cache"),
    ):
        answer = httpx.get(served.url + path, timeout=60)
        assert (answer.status_code, answer.headers["cache-control"]) == (status, kept)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_documents_say_everything(v1: Callable[[str], V1]) -> None:
    """Each operation has an id of its own, a model for its answer and problems; each kind of message has a schema."""
    ask = v1("hello")
    document = ask("GET", "/openapi.json")
    ids = []
    for methods in document["paths"].values():
        for operation in methods.values():
            ids.append(operation["operationId"])
            good = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
            assert "$ref" in good["content"]["application/json"]["schema"], operation["operationId"]
            assert "application/problem+json" in operation["responses"]["404"]["content"]
    assert len(ids) == len(set(ids)) >= 39
    stream = ask("GET", "/asyncapi.json")
    assert stream["asyncapi"] == "3.0.0"
    assert {"event", "question", "build", "gap", "hello"} <= set(stream["components"]["messages"])


def test_a_mend_is_offered_and_told_only_where_it_mends(v1: Callable[[str], V1]) -> None:
    """The picture says why each field does not fit, which field would fit it, and the payload that proves each reason;
    a trial says of a link that does not fit afterwards either which fields of it would fit."""
    ask = v1("news_pipeline")
    links = {link["id"]: link for link in ask("GET", "/picture")["links"]}
    (items,) = [field for field in links[LINK]["fields"] if not field["fits"]]
    assert (items["lacks"], items["alike"]) == (["missing"], ["headlines"])
    digest = links["CleanerService.clean => FormatterService.format_digest"]
    minutes = {"op": "set_optional", "node": "FormatterService", "method": "format_digest", "side": "input"}
    (proof,) = [one for one in digest["proofs"] if one["path"] == "minutes"]
    assert proof["payload"]["minutes"] == 0.5
    assert "minutes may be 0.5" in proof["reason"]
    tried = ask("POST", "/try", {"diff": [{**minutes, "field": "minutes", "optional": True}]})
    assert (tried["passes"], tried["mends"]) == (True, [])
    (left,) = tried["left"]
    assert (left["link"], left["mended"]) == (digest["id"], [])
    assert "minutes" in left["fields"]


def test_a_change_is_tried_agreed_and_taken_back(v1: Callable[[str], V1]) -> None:
    """The dry run says what mends and writes nothing; the proposal alone is approved; undo undoes it."""
    ask = v1("news_pipeline")
    tried = ask("POST", "/try", {"diff": [RENAME]})
    assert (tried["passes"], tried["mends"], tried["breaks"]) == (True, [LINK], [])
    assert tried["asks"] == ["FetcherService"]  # whom the build asks: nothing that FormatterService takes is changed
    assert tried["why"] == {"FetcherService": f"what it is linked by is changed: {LINK}"}
    assert "+            'headlines'" in tried["unified_diff"]
    assert {"proved", "not run"} <= {gate["end"] for gate in tried["gates"]}
    assert ask("POST", "/try", {"diff": [{**RENAME, "field": "nothing"}]})["passes"] is False
    assert ask("GET", "/picture")["mismatches"] == 2
    proposal = {"agent": "CleanerService", "diff": [RENAME], "summary": "Rename items"}
    build = ask("POST", "/builds", {"approve": True, "model": "rules", "rounds": 1, "proposal": proposal})["id"]
    question = until(lambda: ask("GET", "/questions")["items"])[0]
    assert question["about"]["proposal"]["summary"] == "Rename items"
    ask("POST", f"/questions/{question['id']}/answer", {"approve": True})
    until(lambda: ask("GET", f"/builds/{build}")["state"] != "running")
    negotiation = ask("GET", "/negotiations")["items"][0]
    told = ask("GET", f"/negotiations/{negotiation['id']}")["log"]
    (only,) = [p for r in told["rounds"] for p in r["proposals"]]
    assert (only["outcome"], only["evaluations"][0]["agent"]) == ("committed", "FetcherService")
    assert (only["proposer"], only["proposed_by"], only["approved"]["by"]) == ("CleanerService", "operator", "human")
    assert ask("GET", f"/negotiations/{negotiation['id']}/verification")["is_sound"] is True
    assert ask("POST", f"/proposals/{only['id']}/undo")["gate"] == "mismatches"  # it had mended one
    assert ask("POST", f"/proposals/{only['id']}/undo", {"allow_mismatches": True})["done"] is True
    assert ask("GET", "/why/CleanerService.clean")["entries"][0]["undone"]["at"]
    assert ask.refused("POST", "/proposals/p-ffff/undo")[0] == 404


def test_a_person_decides_by_consent(v1: Callable[[str], V1]) -> None:
    """Started from a scenario's text, asked at the desk, ended with a certificate and a frontier."""
    ask = v1("hello")
    scenario = (Path(str(example("consent"))) / "storage.yaml").read_text()
    begun = ask("POST", "/consents", {"scenario": scenario, "humans": ["Cost"]})
    started, cost = begun["id"], V1(ask.served, begun["seats"][0]["key"])
    said = {
        "position": dict.fromkeys(("priority", "rationale", "red_line", "willing_to_trade"), "cheap"),
        "turn": {"move": "pass"},
    }

    def step() -> Any:
        for question in cost("GET", "/questions")["items"]:
            assert question["id"].startswith(f"consent/{started}/")
            cost("POST", f"/questions/{question['id']}/answer", said.get(question["kind"], {"answer": "consent"}))
        told = ask("GET", f"/consents/{started}")
        return told if told["state"] != "running" else None

    told = until(step)
    assert (told["state"], told["status"]) == ("ended", "DONE")
    assert told["record"]["kind"]
    assert [point for point in told["frontier"] if point["agreed"]]
    assert ask("GET", "/negotiations?kind=consent")["items"][0]["id"] == started
    assert ask.refused("POST", "/consents", {"scenario": "topic: ["})[0] == 422
    assert ask.refused("POST", "/consents", {"prompt": "/etc/hostname"})[0] == 422
    assert ask.refused("GET", "/consents/consent-1")[0] == 404


def test_a_sealed_question_can_be_stopped_and_resumed(v1: Callable[[str], V1]) -> None:
    """What the mediator asks lies at the desk; stopped, the question leaves it; resumed, it is there again."""
    ask = v1("hello")
    scenario = (Path(str(example("consent"))) / "storage.yaml").read_text()
    begun = ask("POST", "/consents", {"scenario": scenario, "humans": ["Cost"], "preferences": "sealed"})
    started, cost = begun["id"], V1(ask.served, begun["seats"][0]["key"])
    first = until(lambda: cost("GET", "/questions")["items"])[0]
    assert first["kind"] == "red_lines"
    cost("POST", f"/questions/{first['id']}/answer", {"lines": []})
    until(lambda: [q for q in cost("GET", "/questions")["items"] if q["kind"] == "minimum"])
    ask("POST", f"/consents/{started}/cancel")
    until(lambda: not cost("GET", "/questions")["items"])
    assert until(lambda: ask("GET", f"/consents/{started}")["state"] == "stopped")
    ask("POST", f"/consents/{started}/resume")
    assert until(lambda: cost("GET", "/questions")["items"])[0]["kind"] == "minimum"


def test_two_seats_agree_on_a_document(v1: Callable[[str], V1]) -> None:
    """Opened, seated, taken in whole turns; an acceptance by hash ends it with a final document."""
    ask = v1("hello")
    sources = [{"name": "a", "text": "# A\nKeep logs 3 days.\n"}, {"name": "b", "text": "# B\nKeep logs 5 days.\n"}]
    ask("POST", "/documents", {"name": "logs", "topic": "How long logs are kept", "sources": sources})
    assert ask.refused("POST", "/documents", {"name": "logs"})[1]["code"] == "conflict"
    for agent in ("ann", "bob"):
        ask("POST", "/documents/logs/seats", {"agent": agent})
    turn = ask("GET", "/questions")["items"][0]
    assert (turn["id"], turn["kind"]) == ("document/logs/turn/ann", "turn_document")
    issue = {"title": "Days", "question": "3 or 5?"}
    assert ask.refused("POST", "/documents/logs/turns", {"agent": "bob", "issues": [issue]})[0] == 422
    ask("POST", "/documents/logs/turns", {"agent": "ann", "issues": [issue]})
    stem = ask("GET", "/documents/logs")["issues"][0]["stem"]
    offer = [{"issue": stem, "text": "Logs are kept 4 days."}]
    ask("POST", "/questions/document/logs/turn/bob/answer", {"offers": offer})
    (entry,) = ask("GET", "/documents/logs")["issues"][0]["entries"]
    taken = ask("POST", "/documents/logs/turns", {"agent": "ann", "accepts": [{"issue": stem, "hash": entry["hash"]}]})
    signing = ask("GET", "/documents/logs")["signing"]
    assert (taken["end"], signing["accepted"], signing["missing"]) == ("handed", [], ["ann", "bob"])
    assert signing["fates"], "the fate of every statement is shown before anybody accepts"
    accept = {"accepts": [{"issue": "final.md", "hash": signing["hash"]}]}
    stale = {"agent": "bob", "accepts": [{"issue": "final.md", "hash": "00000000"}]}
    assert ask.refused("POST", "/documents/logs/turns", stale)[0] == 422
    assert ask("POST", "/documents/logs/turns", {"agent": "bob", **accept})["end"] == "handed"
    taken = ask("POST", "/documents/logs/turns", {"agent": "ann", **accept})
    told = ask("GET", "/documents/logs")
    assert (taken["end"], told["is_final"], told["signing"]["accepted"]) == ("finished", True, ["bob", "ann"])
    assert "4 days" in told["final"]


def test_which_build_runs_and_where_an_event_went(v1: Callable[[str], V1]) -> None:
    """A newer build is told beside the running one; a trace holds an event and what followed it."""
    ask = v1("hello")
    ask("POST", "/runtime/start")
    assert ask("GET", "/runtime")["running"] == ask("GET", "/runtime")["newest"]
    event = ask("POST", "/events", {"topic": "/Hello/Greeted", "payload": {"message": "hi"}})["event_id"]
    assert ask("GET", f"/events/{event}/trace")["events"][0]["event_id"] == event
    assert ask("GET", "/events?limit=1")["items"][0]["event_id"] == event
    build = ask("POST", "/builds", {"enable_agents": False})["id"]
    until(lambda: ask("GET", f"/builds/{build}")["state"] == "done")
    told = ask("GET", "/runtime")
    assert told["running"] != told["newest"]
    told = ask("POST", "/runtime/reload")
    assert told["running"] == told["newest"]
    assert told["changed"] == told["added"] == told["removed"] == []
    assert ask("POST", "/runtime/stop")["running"] is None


def test_a_new_build_is_taken_while_the_program_runs(v1: Callable[[str], V1]) -> None:
    """The method answers as the new source has it; one that breaks a contract is refused with the proof."""
    ask = v1("hello")
    ask("POST", "/runtime/start")
    file = next((ask.served.folder / "agents").glob("*.py"))
    good = file.read_text()

    def built(text: str) -> None:
        file.write_text(text)
        build = ask("POST", "/builds", {"enable_agents": False})["id"]
        until(lambda: ask("GET", f"/builds/{build}")["state"] == "done")

    built(good.replace("Hello, ", "Good day, "))
    assert "Greeter" in ask("POST", "/runtime/reload")["changed"]
    told = ask("POST", "/nodes/Greeter/call", {"method": "greet", "payload": {"name": "Ada"}})
    assert told["result"]["message"] == "Good day, Ada!"
    built(good.replace("def greet", "def welcome").replace(".greet(", ".welcome("))
    status, why = ask.refused("POST", "/runtime/reload")
    assert (status, why["code"]) == (409, "contract_changed")
    assert "Greeter.greet is gone" in why["detail"]
    assert "Greeter" in ask("POST", "/runtime/reload", {"force": True})["changed"]
    assert ask("POST", "/runtime/stop")["is_running"] is False
    assert ask.refused("POST", "/runtime/reload")[0] == 409
