"""Dead letters behind the API: they outlive a stop, a restart and the server, and a retry runs the newest build."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from graphbus_core.http.app import create_app
from graphbus_core.http.stream import Stream
from graphbus_core.services import Workspace
from tests.serving import until

SHELF = """\
from graphbus_core import GraphBusNode, subscribe


class Shelf(GraphBusNode):
    @subscribe("/Book/Returned")
    def put_back(self, payload):
        {"Momo": 1}[payload["title"]]
"""


class Api:
    """`/api/v1` of a server in this process."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def __call__(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.client.request(method, f"/api/v1{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()


@contextmanager
def serve_here(folder: Path) -> Iterator[Api]:
    """A server over the `agents` of a folder."""
    stream = Stream()
    workspace = Workspace(folder / "agents", folder / ".graphbus", observe=stream.publish)
    try:
        yield Api(TestClient(create_app(workspace, stream)))
    finally:
        workspace.close()


def test_a_letter_outlives_the_program_that_could_not_take_it(tmp_path: Path) -> None:
    """The usual way: the handler is mended, built, restarted; the letter is there, and the new handler takes it."""
    source = write_shelf(tmp_path)
    with serve_here(tmp_path) as ask:
        for journal in (False, True):
            ask("POST", "/runtime/start", {"payload_checks": "off", "journal": journal})
            ask("POST", "/events", {"topic": "/Book/Returned", "payload": {"title": f"Emma {journal}"}})
            until(lambda kept=journal: list_titles(ask)[-1:] == [f"Emma {kept}"])  # type: ignore[misc]
            ask("POST", "/runtime/stop")
            assert list_titles(ask)[-1] == f"Emma {journal}"
        letter = list_letters(ask)[0]["id"]
        refused = ask.client.post(f"/api/v1/dead-letters/{letter}/retry")
        assert (refused.status_code, refused.json()["detail"]) == (409, "The runtime does not run. Start it first.")
        mend_shelf(source)
        build(ask)
        ask("POST", "/runtime/start", {"payload_checks": "off"})
        assert list_titles(ask) == ["Emma False", "Emma True"]
        assert ask("POST", f"/dead-letters/{letter}/retry") == {"delivered": True}
        assert list_titles(ask) == ["Emma True"]
    with serve_here(tmp_path) as after:  # the server of the next day
        assert list_titles(after) == ["Emma True"]
        assert after("DELETE", "/dead-letters") == {"purged": 1}
        after("POST", "/runtime/start")
        assert list_titles(after) == []


def test_a_letter_that_no_file_takes_is_handed_to_the_next_start(tmp_path: Path) -> None:
    """Where the disk takes nothing, the server holds the letter for as long as it runs."""
    write_shelf(tmp_path)
    with serve_here(tmp_path) as ask:
        build(ask)
        (tmp_path / ".graphbus" / "runtime" / "dead_letters.jsonl.lock").mkdir(parents=True)  # nothing can be written
        ask("POST", "/runtime/start", {"payload_checks": "off"})
        ask("POST", "/events", {"topic": "/Book/Returned", "payload": {"title": "Emma"}})
        until(lambda: list_titles(ask) == ["Emma"])
        ask("POST", "/runtime/stop")
        ask("POST", "/runtime/start", {"payload_checks": "off"})
        assert list_titles(ask) == ["Emma"]


def test_edits_since_the_build_are_told(tmp_path: Path) -> None:
    """A restart runs the build, and says which sources it does not have as they stand; a build takes them."""
    source = write_shelf(tmp_path)
    with serve_here(tmp_path) as ask:
        assert ask("GET", "/runtime")["edited"] == []  # nothing was built, so nothing can be older
        assert ask("POST", "/runtime/start")["edited"] == []
        mend_shelf(source)
        (source.parent / "desk.py").write_text(SHELF.replace("Shelf", "Desk"))
        assert [Path(name).name for name in ask("GET", "/runtime")["edited"]] == ["desk.py", "shelf.py"]
        assert len(ask("POST", "/runtime/reload")["edited"]) == 2
        assert len(ask("POST", "/runtime/stop")["edited"]) == 2
        assert len(ask("POST", "/runtime/start")["edited"]) == 2
        source.write_text("def (")  # what cannot be parsed was edited all the same
        assert any(name.endswith("shelf.py") for name in ask("GET", "/runtime")["edited"])
        mend_shelf(source)
        build(ask)
        assert ask("GET", "/runtime")["edited"] == []


def test_events_of_an_earlier_start_are_followed(tmp_path: Path) -> None:
    """What the list of events shows has a trace, after a restart and, where a letter holds it, after a new server."""
    write_shelf(tmp_path)
    with serve_here(tmp_path) as ask:
        ask("POST", "/runtime/start", {"payload_checks": "off"})
        told = [
            ask("POST", "/events", {"topic": "/Book/Returned", "payload": {"title": title}})["event_id"]
            for title in ("Momo", "Emma")
        ]
        until(lambda: list_titles(ask) == ["Emma"])
        ask("POST", "/runtime/stop")
        ask("POST", "/runtime/start", {"payload_checks": "off"})
        assert [event["event_id"] for event in ask("GET", "/events")["items"]] == told[::-1]
        for event_id in told:
            trace = ask("GET", f"/events/{event_id}/trace")
            assert [event["event_id"] for event in trace["events"]] == [event_id]
            assert [span["name"] for span in trace["spans"]] == ["Shelf.put_back"]
    with serve_here(tmp_path) as after:
        trace = after("GET", f"/events/{told[1]}/trace")
        assert [event["payload"] for event in trace["events"]] == [{"title": "Emma"}]
        assert [letter["subscriber"] for letter in trace["dead_letters"]] == ["Shelf.put_back"]


def test_failures_and_tries_are_two_numbers(tmp_path: Path) -> None:
    """One delivery failed, and was tried twice: each number says what it counts."""
    write_shelf(tmp_path)
    with serve_here(tmp_path) as ask:
        ask("POST", "/runtime/start", {"payload_checks": "off"})
        ask("POST", "/events", {"topic": "/Book/Returned", "payload": {"title": "Emma"}})
        until(lambda: list_letters(ask))
        assert ask("POST", f"/dead-letters/{list_letters(ask)[0]['id']}/retry") == {"delivered": False}
        bus = ask("GET", "/runtime")["message_bus"]
        assert (bus["errors"], bus["dead_letters"], bus["dead_letters_lost"]) == (1, 1, 0)
        assert list_letters(ask)[0]["attempts"] == 2


def test_a_replay_counts_what_follows_now(tmp_path: Path) -> None:
    """Nothing followed in the run of the journal, as its handler failed; on the mended build two events do."""
    source = write_shelf(tmp_path)
    with serve_here(tmp_path) as ask:
        ask("POST", "/runtime/start", {"payload_checks": "off", "journal": True})
        ask("POST", "/events", {"topic": "/Book/Returned", "payload": {"title": "Emma"}})
        until(lambda: list_letters(ask))
        ask("POST", "/runtime/stop")
        publish = 'self.publish("/Book/Shelved", {}); self.publish("/Book/Counted", {})'
        source.write_text(SHELF.replace('{"Momo": 1}[payload["title"]]', publish))
        build(ask)
        [journal] = ask("GET", "/journals")["items"]
        played = ask("POST", f"/journals/{journal['id']}/replay")
        assert (played["events"], played["consequences"], played["followed"], played["errors"]) == (1, 0, 2, 0)


def mend_shelf(source: Path) -> None:
    """Let the handler take every book."""
    source.write_text(SHELF.replace('{"Momo": 1}[payload["title"]]', 'payload["title"].lower()'))


def build(ask: Api) -> None:
    """Build without agents, and wait for it."""
    run = ask("POST", "/builds", {"enable_agents": False})["id"]
    until(lambda: ask("GET", f"/builds/{run}")["state"] == "done")


def write_shelf(folder: Path) -> Path:
    """A project of one node whose handler knows one book only."""
    source = folder / "agents" / "shelf.py"
    source.parent.mkdir(parents=True)
    source.write_text(SHELF)
    return source


def list_letters(ask: Api) -> list[dict[str, Any]]:
    """The dead letters, oldest first."""
    letters: list[dict[str, Any]] = ask("GET", "/dead-letters")["items"]
    return letters


def list_titles(ask: Api) -> list[str]:
    """What the dead letters are about."""
    return [letter["event"]["payload"]["title"] for letter in list_letters(ask)]


def test_a_letter_is_retried_with_a_mended_payload_and_a_replay_names_it(tmp_path: Path) -> None:
    """The handler takes what was mended; the recording of the run says that the delivery failed then, too."""
    write_shelf(tmp_path)
    with serve_here(tmp_path) as ask:
        ask("POST", "/runtime/start", {"payload_checks": "off", "journal": True})
        for _ in range(2):
            ask("POST", "/events", {"topic": "/Book/Returned", "payload": {"title": "Emma"}})
        until(lambda: len(list_letters(ask)) == 2)
        first, second = (letter["id"] for letter in list_letters(ask))
        refused = ask.client.post(f"/api/v1/dead-letters/{first}/retry", json={"payload": {"title": "***"}})
        assert (refused.status_code, "were hidden" in refused.json()["detail"]) == (422, True)
        assert ask("POST", f"/dead-letters/{first}/retry", {"payload": {"title": "Heidi"}}) == {"delivered": False}
        (letter,) = (item for item in list_letters(ask) if item["id"] == first)
        assert (letter["event"]["payload"], letter["error"]) == (
            {"title": "Emma"},
            "'Heidi' (with other values of title)",
        )
        assert ask("POST", f"/dead-letters/{first}/retry", {"payload": {"title": "Momo"}}) == {"delivered": True}
        retries = ask("GET", f"/events/{letter['event']['event_id']}/trace")["retries"]
        assert [(one["subscriber"], one["changed"], one["delivered"]) for one in retries] == [
            ("Shelf.put_back", ["title"], False),
            ("Shelf.put_back", ["title"], True),
        ]
        assert [item["id"] for item in list_letters(ask)] == [second]
        ask("POST", "/runtime/stop")
        (journal,) = ask("GET", "/journals")["items"]
        played = ask("POST", f"/journals/{journal['id']}/replay", {"topics": []})
        assert not played["is_same"]  # one of the two letters was retried well, and is not kept
        assert (played["errors"], played["failed_then"]) == (2, ["Shelf.put_back on /Book/Returned: KeyError: 'Emma'"])
