"""A seat at a document is one person's: nobody breaks it by asking for it again, and a new link really opens it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.serving import V1, Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(120)
TABLE = "document/logs"
SOURCES = [{"name": name, "text": f"# Logs\nKeep logs {days} days.\n"} for name, days in (("alpha", 3), ("beta", 5))]
POINT = {
    "issues": [{"title": "Days", "question": "How many?"}],
    "offers": [{"issue": "Days", "text": "Keep logs 4 days."}],
}


def open_table(served: Served) -> tuple[V1, dict[str, V1]]:
    """The operator, and who sits at the table: each by a link that was opened."""
    operator = V1(served)
    operator("POST", "/documents", {"name": "logs", "topic": "Logs", "sources": SOURCES, "agents": 2})
    keys = {name: operator("POST", "/seats", {"table": TABLE, "name": name})["key"] for name in ("alpha", "beta")}
    own = {name: V1(served, key)("POST", "/sessions", {})["key"] for name, key in keys.items()}
    return operator, {name: V1(served, key) for name, key in own.items()}


def test_a_seat_that_somebody_sits_at_is_not_taken_again(serve: Serve) -> None:
    """409 in the words of a page, nothing is changed, and whoever sits there goes on to the end."""
    operator, seats = open_table(serve("hello"))
    before = operator("GET", "/documents/logs"), operator("GET", f"/table?of={TABLE}")
    for name in ("alpha", "beta"):
        status, problem = operator.refused("POST", "/documents/logs/seats", {"agent": name})
        assert (status, problem["code"]) == (409, "conflict")
        assert f"This seat is {name}'s, who sits there; nothing was changed." in problem["detail"]
    assert (operator("GET", "/documents/logs"), operator("GET", f"/table?of={TABLE}")) == before
    assert seats["alpha"]("POST", "/documents/logs/turns", {"agent": "alpha", **POINT})["end"] == "handed"
    [issue] = operator("GET", "/documents/logs")["issues"]
    accepts = [{"issue": issue["stem"], "hash": issue["entries"][0]["hash"]}]
    assert seats["beta"]("POST", "/documents/logs/turns", {"agent": "beta", "accepts": accepts})["end"] == "handed"


def test_a_seat_whose_link_nobody_opened_yet_is_its_persons(serve: Serve) -> None:
    """The operator gave it away with the link; the link opens it after the refusal as before."""
    served = serve("hello")
    operator = V1(served)
    operator("POST", "/documents", {"name": "logs", "topic": "Logs", "sources": SOURCES, "agents": 2})
    key = operator("POST", "/seats", {"table": TABLE, "name": "beta"})["key"]
    status, problem = operator.refused("POST", "/documents/logs/seats", {"agent": "beta"})
    assert (status, "who has a link to it" in problem["detail"]) == (409, True)
    assert V1(served, key)("POST", "/sessions", {})["name"] == "beta"


def test_a_new_link_takes_the_seat_over(serve: Serve) -> None:
    """Also after somebody asked for the seat: the old session is out, the table is told, and the new one speaks."""
    served = serve("hello")
    operator, seats = open_table(served)
    operator.refused("POST", "/documents/logs/seats", {"agent": "alpha"})
    link = operator("POST", "/seats", {"table": TABLE, "name": "alpha"})["key"]
    newer = V1(served, V1(served, link)("POST", "/sessions", {})["key"])
    assert seats["alpha"].refused("POST", "/documents/logs/turns", {"agent": "alpha", **POINT})[0] == 401
    assert newer("POST", "/documents/logs/turns", {"agent": "alpha", **POINT})["end"] == "handed"
    told = [(one["name"], one["news"]) for one in operator("GET", f"/table?of={TABLE}")["story"]]
    assert ("alpha", "renewed") in told


def test_the_operators_own_seat_may_be_taken_twice(serve: Serve) -> None:
    """A program that asks again finds the seat as it was, also after a restart, and its key is the first one still."""
    served = serve("hello")
    operator = V1(served)
    operator("POST", "/documents", {"name": "logs", "topic": "Logs", "sources": SOURCES, "agents": 2})
    for name in ("alpha", "beta", "alpha"):
        operator("POST", "/documents/logs/seats", {"agent": name})
    served = serve(served.folder)
    operator = V1(served)
    operator("POST", "/documents/logs/seats", {"agent": "alpha"})
    assert operator("POST", "/documents/logs/turns", {"agent": "alpha", **POINT})["end"] == "handed"


def test_refusals_are_told_in_the_words_of_a_page(serve: Serve) -> None:
    """No command, no option, no file: whoever reads them sits before a page. Also where the seat's key was lost."""
    served = serve("hello")
    _, seats = open_table(served)
    out_of_turn = seats["beta"].refused("POST", "/documents/logs/turns", {"agent": "beta", **POINT})
    assert (out_of_turn[0], out_of_turn[1]["detail"]) == (
        422,
        "The turn is alpha's, not beta's. Your own turn comes by itself; nothing was changed.",
    )
    seats["alpha"]("POST", "/documents/logs/turns", {"agent": "alpha", **POINT})
    says = {"issues": [{"title": "Who", "question": "Who deletes them?"}]}
    status, problem = seats["beta"].refused("POST", "/documents/logs/turns", {"agent": "beta", **says})
    assert (status, "Say something on it, or accept what stands there." in problem["detail"]) == (422, True)
    [key] = served.folder.rglob("logs-beta.json")  # as an earlier version left it, after a second call for the seat
    key.write_text(key.read_text().replace('"token": "', '"token": "x'))
    status, problem = seats["beta"].refused("POST", "/documents/logs/turns", {"agent": "beta", **says})
    assert (status, problem["code"]) == (409, "conflict")
    assert "open a new table with the same texts" in problem["detail"]
    for words in ("--seat", "command", "graphbus "):
        assert words not in problem["detail"]


def test_the_last_acceptance_of_a_point_may_accept_the_text_too(serve: Serve) -> None:
    """Whoever read the text that comes of it accepts it in the same turn, by its hash, and no other one."""
    operator, seats = open_table(serve("hello"))
    assert operator("GET", "/documents/logs")["foreseen"] is None  # nothing is offered yet
    seats["alpha"]("POST", "/documents/logs/turns", {"agent": "alpha", **POINT})
    told = seats["beta"]("GET", "/documents/logs")
    [issue], foreseen = told["issues"], told["foreseen"]
    assert "Keep logs 4 days." in foreseen["text"]
    accepts = {"agent": "beta", "accepts": [{"issue": issue["stem"], "hash": issue["entries"][0]["hash"]}]}
    status, problem = seats["beta"].refused("POST", "/documents/logs/turns", {**accepts, "accepts_final": "00000000"})
    assert (status, "Read the text as it stands now" in problem["detail"]) == (422, True)
    other = {"agent": "beta", "offers": [{"issue": issue["stem"], "text": "Keep logs 9 days."}]}
    refused = seats["beta"].refused("POST", "/documents/logs/turns", {**other, "accepts_final": foreseen["hash"]})
    assert (refused[0], "no final document" in refused[1]["detail"]) == (422, True)
    assert operator("GET", "/documents/logs")["turn"] == told["turn"]  # neither changed anything
    seats["beta"]("POST", "/documents/logs/turns", {**accepts, "accepts_final": foreseen["hash"]})
    told = seats["alpha"]("GET", "/documents/logs")
    assert (told["holder"], told["signing"]["accepted"], told["signing"]["missing"]) == ("alpha", ["beta"], ["alpha"])
    assert (told["signing"]["hash"], told["final"], told["foreseen"]) == (foreseen["hash"], foreseen["text"], None)
    accept = {"agent": "alpha", "accepts": [{"issue": "final.md", "hash": foreseen["hash"]}]}
    assert seats["alpha"]("POST", "/documents/logs/turns", accept)["end"] == "finished"
    assert seats["beta"]("GET", "/documents/logs")["is_final"] is True


def test_a_table_is_listed_by_what_it_is_about(serve: Serve) -> None:
    """And not by the heading of the file that says so."""
    operator, _ = open_table(serve("hello"))
    [listed] = operator("GET", "/documents")["items"]
    assert listed["question"] == "Logs"
