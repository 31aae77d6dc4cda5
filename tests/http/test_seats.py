"""Every person has a seat: its own questions alone, answered with its own key alone; no token in an address."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from graphbus_core.services.errors import Conflict, Forbidden, NotFound
from graphbus_core.services.questions.seats import Seat, SeatLinks, name_table
from tests.serving import V1, Served, until

Serve = Callable[[str], Served]
pytestmark = pytest.mark.timeout(300)
NAMES = ("Ann", "Ben", "Cem")
DECISION = """\
topic: Where the data lies
issues: {store: [postgres, files], months: [6, 12]}
advocates:
  Ann: {priority: Safety, scores: {store: {postgres: 10}}}
  Ben: {priority: Cost, scores: {store: {files: 3, postgres: 2}, months: {6: 4}}}
  Cem: {priority: Speed, scores: {store: {postgres: 5}, months: {12: 3}}}
"""
TERMS = {"store": "postgres", "months": "12"}


@pytest.fixture
def links(tmp_path: Any) -> SeatLinks:
    return SeatLinks(tmp_path / "seats" / "links.json")


def test_a_key_opens_its_own_seat(links: SeatLinks, tmp_path: Any) -> None:
    """Kept as a digest for its owner alone; a new link ends the old one; what is taken back opens nothing."""
    ann, ben = links.issue("build", "Ann"), links.issue("consent/run-1", "Ben")
    again = SeatLinks(tmp_path / "seats" / "links.json")
    assert (again.find(ann), again.find(ben)) == (Seat("build", "Ann"), Seat("consent/run-1", "Ben"))
    for wrong in ("", ann[:-1], ann + "x", "ü", "\ud800"):
        assert again.find(wrong) is None
    file = tmp_path / "seats" / "links.json"
    assert ann not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    newer = links.issue("build", "Ann")
    assert (links.find(ann), links.find(newer)) == (None, Seat("build", "Ann"))
    links.end_by_id("build/Ann")
    assert links.find(newer) is None
    with pytest.raises(NotFound):
        links.end_by_id("build/Ann")


def test_a_question_belongs_to_whoever_has_the_link(links: SeatLinks) -> None:
    """Without a link it is the operator's; with one it is nobody else's. The same name at two tables is two seats."""
    questions = [
        {"id": "consent/a/turn:1", "to": "Ann"},
        {"id": "consent/b/turn:1", "to": "Ann"},
        {"id": "1.x", "to": "Ann"},
    ]
    assert [name_table(one["id"]) for one in questions] == ["consent/a", "consent/b", "build"]
    assert links.select_own(None, questions) == questions
    ann = links.find(links.issue("consent/a", "Ann"))
    assert links.select_own(ann, questions) == questions[:1]
    assert links.select_own(None, questions) == questions[1:]
    links.check_own(ann, "consent/a", "Ann")
    for seat, table, name in (
        (None, "consent/a", "Ann"),
        (ann, "consent/b", "Ann"),
        (ann, "consent/a", "Ben"),
        (ann, "build", "Ann"),
    ):
        with pytest.raises(Forbidden):
            links.check_own(seat, table, name)


def test_of_two_who_open_a_link_at_once_one_sits_down(links: SeatLinks) -> None:
    """Sixteen threads exchange one key: one has a new key, the others are told that Ben sits there."""
    key = links.issue("consent/a", "Ben")
    gate = threading.Barrier(16)

    def sit() -> str:
        gate.wait()
        try:
            return links.sit_down(key)[1]
        except Conflict as refused:
            return "" if "Ben has already sat down" in str(refused) else "another reason"

    with ThreadPoolExecutor(16) as pool:
        keys = [sitting.result() for sitting in [pool.submit(sit) for _ in range(16)]]
    [own] = [session for session in keys if session]
    assert links.find(own) == Seat("consent/a", "Ben")
    assert links.find(key) is None


def test_a_link_that_was_sent_before_is_registered_once(links: SeatLinks, tmp_path: Any) -> None:
    """Two processes share the file. Once a link was opened, or another made, the one that was sent opens nothing."""
    other = SeatLinks(tmp_path / "seats" / "links.json")
    links.register("consent/a", "Ben", "sent")
    assert other.find("sent") == Seat("consent/a", "Ben")
    _, own = other.sit_down("sent")
    links.register("consent/a", "Ben", "sent")
    assert (links.find("sent"), links.find(own)) == (None, Seat("consent/a", "Ben"))
    links.register("consent/a", "Cem", "first")
    newer = other.issue("consent/a", "Cem")
    links.register("consent/a", "Cem", "first")
    assert (links.find("first"), links.find(newer)) == (None, Seat("consent/a", "Cem"))


def test_who_did_not_sit_down_tells_the_table(links: SeatLinks) -> None:
    """With the spent link, or with the invitation and a name that was taken; once; and it opens nothing."""
    links.issue("consent/a", "Ann", is_opener=True)
    key = links.issue("consent/a", "Ben")
    invitation = links.invite("consent/a")
    for unspent, name in ((key, ""), ("no key", ""), (invitation, "Ben"), (invitation, "")):
        with pytest.raises(Conflict):
            links.dispute(unspent, name)
    _, own = links.sit_down(key)
    assert "ask Ann, who opened the table, for a new link" in links.explain(key)[1]
    assert links.find_spent(key) == links.dispute(key) == links.dispute(invitation, "Ben") == Seat("consent/a", "Ben")
    assert [line.news for line in links.list_story("consent/a")] == ["sat_down", "disputed"]
    assert (links.find(key), links.find(own)) == (None, Seat("consent/a", "Ben"))
    assert links.settle("consent/a/Ben") == Seat("consent/a", "Ben")
    with pytest.raises(NotFound):
        links.settle("consent/a/Ben")
    links.dispute(invitation, "Ben")  # was settled: an invitation is everybody's
    assert [line.news for line in links.list_story("consent/a")] == ["sat_down", "disputed", "settled"]
    links.issue("consent/a", "Ben")
    with pytest.raises(Conflict):
        links.dispute(own)  # a session that was ended is not a link


def test_a_file_of_an_earlier_version_is_read(tmp_path: Any) -> None:
    """Its links open their seats, and are spent by whoever sits down."""
    key = "as it was sent"
    digest = hashlib.sha256(key.encode()).hexdigest()
    (tmp_path / "links.json").write_text(json.dumps({digest: {"table": "build", "name": "Ann"}}))
    links = SeatLinks(tmp_path / "links.json")
    assert links.find(key) == Seat("build", "Ann")
    _, own = links.sit_down(key)
    assert (links.find(key), links.find(own)) == (None, Seat("build", "Ann"))


def test_a_link_once_opened_is_its_persons(serve: Serve) -> None:
    """Exchanged once; then it opens nothing, also after a restart. A new link ends the session, and all are told."""
    served = serve("hello")
    operator = V1(served)
    begun = operator("POST", "/consents", {"scenario": DECISION, "humans": ["Ann", "Ben"]})
    table = f"consent/{begun['id']}"
    keys = {one["name"]: one["key"] for one in begun["seats"]}
    seated = lambda: {one["name"]: one["seated"] for one in V1(served)("GET", "/seats")["items"]}  # noqa: E731
    copied = V1(served, keys["Ben"])
    until(lambda: copied("GET", "/questions")["items"])  # a key that nobody exchanged is a program's
    asked = copied("GET", "/questions")["items"][0]["id"]
    assert seated() == {"Ann": False, "Ben": False}
    own = copied("POST", "/sessions", {})
    assert (own["table"], own["name"], seated()["Ben"]) == (table, "Ben", True)
    ben = V1(served, own["key"])
    for again in (
        copied.refused("POST", "/sessions", {}),
        copied.refused("GET", "/questions"),
        copied.refused("POST", f"/questions/{asked}/answer", {"priority": "not Ben's words"}),
    ):
        assert (again[0], again[1]["code"]) == (401, "seat_taken")
        assert "Ben has already sat down" in again[1]["detail"]
    assert copied("POST", "/disputes") == {"table": table, "name": "Ben"}  # the one thing that a spent link still does
    assert copied.refused("GET", "/table")[0] == 401
    assert V1(served, "x" * 32).refused("POST", "/disputes")[0] == 401
    assert ben.refused("POST", "/sessions", {})[0] == 409  # what is one's own already is not exchanged
    assert operator.refused("POST", "/sessions", {})[0] == 403
    assert ben("GET", "/me")["seated"] is True

    served = serve(served.folder)  # the same folder, another process
    ben, copied, operator = V1(served, own["key"]), V1(served, keys["Ben"]), V1(served)
    assert ben("GET", "/me")["name"] == "Ben"
    assert copied.refused("GET", "/me")[1]["code"] == "seat_taken"
    link = operator("POST", "/seats", {"table": table, "name": "Ben"})["key"]
    assert ben.refused("GET", "/me")[1]["code"] == "seat_ended"
    assert "this session ended" in ben.refused("GET", "/me")[1]["detail"]
    story = [(one["name"], one["news"]) for one in V1(served, keys["Ann"])("GET", "/table")["story"]]
    assert story == [("Ben", "sat_down"), ("Ben", "disputed"), ("Ben", "renewed")]
    assert V1(served, link)("GET", "/me")["name"] == "Ben"


def test_a_doubt_by_an_invitation_is_told_as_one(links: SeatLinks) -> None:
    """It says no more than is true, once of each session; the link's own holder still says more."""
    key = links.issue("consent/a", "Ben")
    invitation = links.invite("consent/a")
    links.sit_down(key)
    for _ in range(2):
        links.dispute(invitation, "Ben")
    links.dispute(key)
    assert [line.news for line in links.list_story("consent/a")] == ["sat_down", "claimed", "disputed"]


def test_a_person_goes_on_elsewhere(serve: Serve) -> None:
    """From their own seat: the link is opened elsewhere, and this session ends; until then it goes on."""
    served = serve("hello")
    operator = V1(served)
    key = operator("POST", "/seats", {"table": "build", "name": "HelloService"})["key"]
    first = V1(served, V1(served, key)("POST", "/sessions")["key"])
    before, link = (first("POST", "/links")["key"] for _ in range(2))
    assert V1(served, before).refused("GET", "/me")[1]["code"] == "seat_ended"
    assert first("GET", "/me")["seated"] is True
    second = V1(served, V1(served, link)("POST", "/sessions")["key"])
    assert second("GET", "/me")["seated"] is True
    assert first.refused("GET", "/me")[1]["code"] == "seat_left"
    assert [one["news"] for one in second("GET", "/table")["story"]] == ["sat_down", "moved"]


def test_one_invitation_for_a_table(serve: Serve) -> None:
    """Whoever has it takes a free name, once, and sees nothing else. A seat that somebody had is not offered again."""
    served = serve("hello")
    operator = V1(served)
    begun = operator("POST", "/consents", {"scenario": DECISION, "humans": list(NAMES)})
    table = f"consent/{begun['id']}"
    invited = V1(served, operator("POST", "/invitations", {"table": table})["key"])
    assert invited("GET", "/me") == {
        "role": "invited",
        "table": table,
        "name": None,
        "seated": False,
        "called": None,
    }
    told = invited("GET", "/table")
    assert told["topic"] == "Where the data lies"
    assert [(one["name"], one["free"]) for one in told["seats"]] == [(name, True) for name in NAMES]
    for method, path in (
        ("GET", "/questions"),
        ("GET", f"/consents/{begun['id']}"),
        ("POST", "/links"),
        ("GET", "/seats"),
    ):
        assert invited.refused(method, path)[0] == 403, path
    assert invited.refused("POST", "/sessions", {})[0] == 422
    assert invited.refused("POST", "/sessions", {"name": "Dan"})[0] == 422
    invited.http.headers["Idempotency-Key"] = "1"  # two people may choose the same; nobody is given another's key
    ben = invited("POST", "/sessions", {"name": "Ben"})["key"]
    assert invited.refused("POST", "/sessions", {"name": "Ben"})[0] == 409
    assert V1(served, ben)("GET", "/me")["name"] == "Ben"
    theirs = next(one["key"] for one in begun["seats"] if one["name"] == "Ben")
    assert V1(served, theirs).refused("GET", "/me")[1]["code"] == "seat_taken"
    operator("POST", "/seats", {"table": table, "name": "Ben"})
    assert invited.refused("POST", "/sessions", {"name": "Ben"})[0] == 409
    operator("POST", "/invitations", {"table": table})
    assert invited.refused("GET", "/table")[1]["code"] == "seat_ended"


def _answer_as_its_own(seats: dict[str, V1], others: list[V1]) -> Iterator[tuple[str, int]]:
    """Answer what is asked of each; before that everybody else tries. The kind, and the status that they get."""
    said = {
        "position": {"priority": "mine"},
        "turn": {"move": "propose", "terms": TERMS},
        "consent": {"answer": "consent"},
    }
    for name, seat in seats.items():
        for question in seat("GET", "/questions")["items"]:
            assert question["to"] == name
            road, body = f"/questions/{question['id']}/answer", said[question["kind"]]
            if (
                question["kind"] == "turn"
                and question["about"]["proposal"]
                and not question["about"]["proposal"]["objections"]
            ):
                body = {"move": "check"}
            for other in (*others, *(one for who, one in seats.items() if who != name)):
                yield question["kind"], other.refused("POST", road, body)[0]
            seat("POST", road, body)


def test_three_people_finish_and_nobody_answers_for_another(serve: Serve) -> None:
    """Each sees its own questions; a wrong seat, and the operator, are refused with each question of the whole talk."""
    served = serve("hello")
    operator = V1(served)
    begun = operator("POST", "/consents", {"scenario": DECISION, "humans": list(NAMES)})
    seats = {one["name"]: V1(served, one["key"]) for one in begun["seats"]}
    tried: list[tuple[str, int]] = []

    def over() -> bool:
        assert operator("GET", "/questions")["items"] == []
        tried.extend(_answer_as_its_own(seats, [operator]))
        return bool(operator("GET", f"/consents/{begun['id']}")["state"] != "running")

    until(over, 120)
    told = operator("GET", f"/consents/{begun['id']}")
    assert told["status"] == "DONE"
    assert {kind for kind, _ in tried} == {"position", "turn", "consent"}
    assert {status for _, status in tried} == {403}
    seats[NAMES[0]]("POST", "/sessions", {})
    used = seats[NAMES[0]].refused("GET", "/me")[1]
    assert (used["code"], "the table has ended" in used["detail"]) == ("seat_taken", True)  # and no word of a new link
    assert {one["name"]: one["waiting"] for one in operator("GET", "/seats")["items"]} == dict.fromkeys(NAMES, 0)


def test_a_seat_has_its_table_and_nothing_else(serve: Serve) -> None:
    """Who I am; my own decision; nothing of the project, of other tables, of the stream, and no link for others."""
    served = serve("hello")
    operator = V1(served)
    assert operator("GET", "/me")["role"] == "operator"
    first, second = (operator("POST", "/consents", {"scenario": DECISION, "humans": ["Ann"]}) for _ in range(2))
    ann = V1(served, first["seats"][0]["key"])
    seat = {"role": "seat", "table": f"consent/{first['id']}", "name": "Ann", "seated": False, "called": "Ann"}
    assert ann("GET", "/me") == seat
    assert ann("GET", f"/consents/{first['id']}")["topic"] == "Where the data lies"
    for method, path in (
        ("GET", f"/consents/{second['id']}"),
        ("GET", "/picture"),
        ("GET", "/seats"),
        ("POST", "/seats"),
        ("GET", "/stream"),
        ("GET", "/runtime"),
        ("POST", f"/consents/{first['id']}/cancel"),
        ("GET", f"/consents/{first['id']}%2F..%2F{second['id']}"),
    ):
        status, problem = ann.refused(method, path, {} if method == "POST" else None)
        assert (status, problem["code"]) == (403, "operator_only"), path
    key = operator("POST", "/seats", {"table": f"consent/{first['id']}", "name": "Ann"})["key"]
    assert ann.http.get("/me").status_code == 401  # a new link ended the old one
    assert V1(served, key)("GET", "/me")["name"] == "Ann"
    assert operator.refused("POST", "/seats", {"table": f"consent/{first['id']}", "name": "Ben"})[0] == 422
    assert operator.refused("POST", "/seats", {"table": "consent/nowhere", "name": "Ann"})[0] == 404
    assert operator.refused("POST", "/seats", {"table": "elsewhere", "name": "Ann"})[0] == 422


def test_two_people_write_a_document_each_behind_a_link(serve: Serve) -> None:
    """A link takes the seat; its turns are taken with its own key, and not with the operator's or the other's."""
    served = serve("hello")
    operator = V1(served)
    sources = [{"name": "a", "text": "# A\nKeep logs 3 days.\n"}, {"name": "b", "text": "# B\nKeep logs 5 days.\n"}]
    operator("POST", "/documents", {"name": "logs", "topic": "How long", "sources": sources})
    seats = {
        name: V1(served, operator("POST", "/seats", {"table": "document/logs", "name": name})["key"])
        for name in ("ann", "bob")
    }
    assert [one["name"] for one in seats["ann"]("GET", "/documents/logs")["agents"]] == ["ann", "bob"]
    assert [len(one("GET", "/questions")["items"]) for one in (operator, *seats.values())] == [0, 1, 0]
    turn = {"agent": "ann", "issues": [{"title": "Days", "question": "How many?"}]}
    for other in (operator, seats["bob"]):
        assert other.refused("POST", "/documents/logs/turns", turn)[1]["code"] == "not_your_seat"
    mine = {"agent": "ann", "text": "# Ann\nKeep logs 7 days.\n"}
    assert seats["bob"].refused("POST", "/documents/logs/sources", mine)[1]["code"] == "not_your_seat"
    brought = seats["ann"]("POST", "/documents/logs/sources", mine)["sources"]
    assert {"name": "ann", "text": mine["text"]} in brought
    assert seats["ann"]("POST", "/documents/logs/turns", turn)["end"] == "handed"
    late = {"agent": "bob", "text": "Too late."}
    assert seats["bob"].refused("POST", "/documents/logs/sources", late)[1]["code"] == "conflict"


def test_no_token_in_an_address(serve: Serve) -> None:
    """Refused everywhere with the sentence that says what to do; a header and a subprotocol are taken."""
    served = serve("hello")
    head = {"Authorization": f"Bearer {served.token}"}
    for road in ("/api/v1/health", "/graph", "/", "/page/app.js", "/api/v1/picture"):
        answer = httpx.get(f"{served.url}{road}?token={served.token}", headers=head)
        assert answer.status_code == 401, road
        assert "as a header" in answer.text
        assert served.token not in answer.text
    socket = served.url.replace("http", "ws", 1)
    for road in ("/events/stream", "/api/v1/stream"):
        with pytest.raises(InvalidStatus) as refused:
            connect(f"{socket}{road}?token={served.token}", proxy=None)
        assert refused.value.response.status_code == 401
        assert b"as a subprotocol" in refused.value.response.body
        for given in ({"additional_headers": head}, {"subprotocols": ["graphbus.v1", _as_protocol(served.token)]}):
            with connect(f"{socket}{road}?after=0", proxy=None, **given) as listening:
                assert '"kind":"hello"' in str(listening.recv(10))
                assert served.token not in str(listening.subprotocol)
        with pytest.raises(InvalidStatus):
            connect(f"{socket}{road}", proxy=None, subprotocols=["graphbus.v1", _as_protocol("guess")])


def _as_protocol(token: str) -> Any:
    return "graphbus.bearer." + base64.urlsafe_b64encode(token.encode()).decode().rstrip("=")
