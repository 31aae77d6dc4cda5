"""A team over HTTP: the board is the operator's and each seat's, a seat speaks for itself alone and sees its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from graphbus_core.http.app import create_app
from graphbus_core.http.security import Guard
from graphbus_core.http.stream import Stream
from graphbus_core.services import Workspace
from tests.team.conftest import FILES

NODE = """from graphbus_core import GraphBusNode


class Hello(GraphBusNode):
    def greet(self, name: str) -> dict:
        return {"text": name}
"""
API = "/api/v1"
TOKEN = "token-of-the-operator"


class Client:
    """One caller: the operator or a seat."""

    def __init__(self, client: TestClient, token: str) -> None:
        self.client, self.headers = client, {"Authorization": f"Bearer {token}"}

    def get(self, path: str) -> dict:
        answer = self.client.get(f"{API}{path}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: dict, status: int = 200) -> dict:
        answer = self.client.post(f"{API}{path}", headers=self.headers, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()


@pytest.fixture
def served(tmp_path: Path) -> tuple[Client, Workspace]:
    """A server over a repository with a small shop."""
    root = tmp_path / "shop"
    for path, text in {**FILES, "agents/hello.py": NODE}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for words in (("init", "-q", "-b", "main"), ("config", "user.name", "x"), ("config", "user.email", "x@x.org"),
                  ("add", "-A"), ("commit", "-q", "-m", "base")):  # fmt: skip
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    workspace = Workspace(root / "agents", root / ".graphbus")
    guard = Guard(create_app(workspace, Stream()), TOKEN, {"testserver"}, find_seat=workspace.seats.find)
    return Client(TestClient(guard), TOKEN), workspace  # type: ignore[arg-type]


def seat(operator: Client, name: str) -> Client:
    """The caller behind the link of a seat; it sits down where it has not."""
    key = operator.post("/seats", {"table": "team/here", "name": name}, 201)["key"]
    return Client(operator.client, key)


def test_a_seat_sees_its_own_questions_and_settles_them(served: tuple[Client, Workspace]) -> None:
    """Two overlap: each is asked over its own link, the third sees nothing of it, and both accept one hash."""
    operator, _ = served
    assert operator.get("/teams")["items"] == []
    operator.post("/teams", {"tasks": [{"name": "tax", "text": "Totals without tax."}]}, 201)
    ada, bob, eve = (seat(operator, name) for name in ("ada", "bob", "eve"))
    ada.post("/teams/here/plans", {"seat": "ada", "plan": "shop/cart.py::total: remove parameter tax"})
    told = bob.post("/teams/here/plans", {"seat": "bob", "plan": "shop/bill.py::print_bill: body"})
    assert [q["about"] for q in told["asked"]] == ["shop/cart.py::total"]
    assert len(operator.get("/teams/here")["questions"]) == 1
    assert eve.get("/teams/here")["questions"] == eve.get("/questions")["items"] == []
    assert operator.get("/questions")["items"] == []  # with a link it is the seat's alone
    question = bob.get("/questions")["items"][0]
    choices = question["answer_schema"]["oneOf"]
    digest = choices[0]["properties"]["hash"]["const"]
    bob.post(f"/questions/{question['id']}/answer", {"hash": digest})
    assert bob.get("/questions")["items"] == []
    assert bob.post("/teams/here/landings", {"seat": "bob", "verify": "none"}, 422)["detail"].startswith("Nothing was")
    ada.post("/teams/here/words", {"seat": "ada", "say": f"@accept {told['asked'][0]['id']} {digest}"})
    assert operator.get("/teams/here")["questions"][0]["status"] == "settled"
    assert "is settled" in ada.post("/teams/here/turns", {"seat": "ada"})["text"]


def test_a_seat_speaks_for_itself_alone(served: tuple[Client, Workspace]) -> None:
    """Another's turn, plan, landing and answer are refused, and so is what only the operator may do."""
    operator, _ = served
    operator.post("/teams", {}, 201)
    ada, bob = seat(operator, "ada"), seat(operator, "bob")
    operator.post("/teams/here/seats", {"seat": "eve"}, 201)
    for road, body in (("turns", {}), ("plans", {"plan": "total: body"}), ("words", {"say": "@leave"}), ("syncs", {}),
                       ("landings", {})):  # fmt: skip
        assert "bob" in bob.post(f"/teams/here/{road}", {"seat": "ada", **body}, 403)["detail"]
    bob.post("/teams/here/seats", {"seat": "zed"}, 403)
    bob.post("/teams", {}, 403)
    ada.post("/teams/here/plans", {"seat": "ada", "plan": "shop/cart.py::total: remove parameter tax"})
    bob.post("/teams/here/plans", {"seat": "bob", "plan": "shop/bill.py::print_bill: body"})
    asked = ada.get("/questions")["items"][0]
    bob.post(f"/questions/{asked['id']}/answer", {"text": "mine"}, 403)
    ada.post(f"/questions/{asked['id']}/answer", {"words": "mine"}, 422)


def test_a_wrong_plan_and_a_team_that_is_not_there_are_told_in_a_sentence(served: tuple[Client, Workspace]) -> None:
    """422 with the next step, 404 before a team began; another name is no team."""
    operator, _ = served
    answer = operator.client.get(f"{API}/teams/here", headers=operator.headers)
    assert (answer.status_code, "Begin one" in answer.json()["detail"]) == (404, True)
    operator.post("/teams", {}, 201)
    operator.post("/teams", {}, 422)
    ada = seat(operator, "ada")
    refused = ada.post("/teams/here/plans", {"seat": "ada", "plan": "shop/cart.py::totl: body"}, 422)
    assert "Did you mean total?" in refused["detail"]
    assert operator.client.get(f"{API}/teams/other", headers=operator.headers).status_code == 404
    operator.post("/seats", {"table": "team/other", "name": "ada"}, 404)
