"""What frameworks hand over is read as edges with both places; what is not read is counted by kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.inference import InferredProject, infer
from graphbus_core.inference.frameworks import Edge, interface


def read(folder: Path, files: dict[str, str]) -> InferredProject:
    (folder / "pyproject.toml").write_text("")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return infer(folder)


def edges(inferred: InferredProject) -> set[tuple[str, str, str, str]]:
    return {(link.kind, link.producer, link.consumer, link.carries) for link in inferred.links if link.kind}


DEPS = """
from typing import Annotated
from fastapi import Depends
from fastapi.security import OAuth2PasswordBearer
from pydantic import BaseModel

oauth = OAuth2PasswordBearer("token")


class ItemIn(BaseModel):
    name: str


class Paging:
    def __init__(self, page: int = 1): ...


def get_db(): ...


def make(role):
    return lambda: role


Db = Annotated[object, Depends(get_db)]
"""

ROUTES = """
import httpx
from fastapi import APIRouter, Body, Depends, FastAPI
from app import deps
from app.deps import Db, ItemIn, Paging, make, oauth

router = APIRouter(prefix="/items", dependencies=[Depends(deps.get_db)])
app = FastAPI()
app.include_router(router, prefix="/v1")
checks = {}


@router.get("/{item_id}")
def read_item(item_id: int, db: Db, page: Paging = Depends(), who=Depends(make("admin"))): ...


@router.get("/me", name="mine")
def read_mine(token: str = Depends(oauth), other=Depends(checks["x"]), last=Depends(httpx.get)): ...


@router.post("")
def create(body: ItemIn, more: "list[int]" = Body()): ...
"""

CLIENT = """
import requests


def test_all(client, app, session, url):
    client.get("/v1/items/1")
    client.get(f"/v1/items/{url}")
    client.get(app.url_path_for("mine"))
    requests.post("https://host/v1/items", json={"name": "a"})
    client.delete("/v1/items/1")
    client.get(url)
    session.get(object, 3)
    {}.get("v1")
"""


def test_fastapi(tmp_path: Path) -> None:
    inferred = read(tmp_path, {"app/deps.py": DEPS, "app/routes.py": ROUTES, "tests/test_it.py": CLIENT})
    assert edges(inferred) == {
        ("dependency", "deps.get_db", "routes", ""),
        ("dependency", "deps.get_db", "routes.read_item", "db"),
        ("dependency", "deps.Paging", "routes.read_item", "page"),
        ("dependency", "deps.make", "routes.read_item", "who"),
        ("dependency", "deps.oauth", "routes.read_mine", "token"),
        ("body", "POST /v1/items", "routes.create", "body: ItemIn"),
        ("request", "test_it.test_all", "routes.read_item", ""),
        ("request", "test_it.test_all", "routes.read_mine", ""),
        ("request", "test_it.test_all", "routes.create", "name"),
    }
    assert sorted(item.kind for item in inferred.unread) == [
        "a dependency of a library",
        "a dependency that is computed",
        "a request that meets no route",
        "a request whose address is computed",
    ]


GRAPH = """
from langgraph.graph import StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command


def plan(state):
    return {"topic": "a", "steps": [state.get("seed")]}


def write(state):
    update = {"draft": helper(state)}
    update["seed"] = 1
    return Command(goto="review", update=update)


def helper(state):
    return state["topic"]


def review(state):
    return compute(state.draft)


def compute(draft): ...


inner = StateGraph(dict)
inner.add_node(write)
inner_graph = inner.compile()

builder = StateGraph(dict)
builder.add_node("plan", plan)
builder.add_node("review", review)
builder.add_node("inner", inner_graph)
builder.add_node("tools", ToolNode([]))


def not_a_node(state):
    return {"draft": state["topic"]}
"""


def test_langgraph_state(tmp_path: Path) -> None:
    inferred = read(tmp_path, {"graph.py": GRAPH})
    assert edges(inferred) == {
        ("state", "graph.plan", "graph.write", "topic"),
        ("state", "graph.write", "graph.plan", "seed"),
        ("state", "graph.write", "graph.review", "draft"),
    }
    assert sorted(item.kind for item in inferred.unread) == [
        "a node that is made elsewhere",
        "state that is put together elsewhere",
    ]


TASKS = """
from celery import Celery, shared_task

app = Celery()


@app.task(name="mail")
def send(to, subject="x"): ...


@shared_task(bind=True)
def render(self, key): ...


def plain(): ...
"""

CALLS = """
from celery import chain
from tasks import app, plain, render, send


def start(kind, names):
    send.delay("a", subject="b")
    app.send_task("mail", args=["a"])
    app.send_task(names[0])
    names[0].delay()
    chain(render.s("k"), send.s("x"))
    (render.s("k") | send.si("x"))
    plain()
"""


def test_celery(tmp_path: Path) -> None:
    inferred = read(tmp_path, {"tasks.py": TASKS, "calls.py": CALLS})
    assert edges(inferred) == {
        ("task", "calls.start", "tasks.send", "to, subject"),
        ("task", "calls.start", "tasks.send", "to"),
        ("task", "calls.start", "tasks.render", "key"),
        ("chain", "tasks.render", "tasks.send", "result"),
    }
    assert [link.places for link in inferred.links if link.kind == "chain"] == [("calls.py:11",)]
    assert sorted(item.kind for item in inferred.unread) == [
        "a task that is found at run time",
        "a task that is sent by name",
    ]


SIGNALS = """
from blinker import Namespace, signal

saved = signal("saved")
gone = Namespace().signal("gone")
"""

HEARS = """
import signals
from signals import gone, saved


@saved.connect
def on_saved(sender, key): ...


def on_gone(sender): ...


gone.connect(on_gone)
gone.connect(lambda sender: None)


class Store:
    def save(self, sock):
        signals.saved.send(self, key=1)
        gone.send(self)
        sock.send(b"")
"""


def test_blinker(tmp_path: Path) -> None:
    inferred = read(tmp_path, {"signals.py": SIGNALS, "hears.py": HEARS})
    assert edges(inferred) == {
        ("signal", "Store.save", "hears.on_saved", "key"),
        ("signal", "Store.save", "hears.on_gone", ""),
    }
    assert [item.kind for item in inferred.unread] == ["a receiver that is made elsewhere"]


def test_what_was_read_and_what_was_not_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read(tmp_path, {"tasks.py": TASKS, "calls.py": CALLS})
    monkeypatch.chdir(tmp_path)
    assert main(["infer", "."]) == 0
    printed = capsys.readouterr().out
    assert "calls.start => tasks.send    task to, subject (calls.py:7, tasks.py:8)" in printed
    assert "places read; not read: 1 × a task that is sent by name (calls.py:9)" in printed


def test_others_add_a_reader_by_an_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One class with `packages` and `read`; it is asked only where its package is imported."""

    class Reader:
        packages = ("theirs",)

        def read(self, source: interface.ProjectSource):  # type: ignore[no-untyped-def]
            yield Edge("theirs", "a", "b", "x", tuple(f"{path}:1" for path in source.paths))

    class Entry:
        def load(self) -> type[Reader]:
            return Reader

    monkeypatch.setattr(interface, "entry_points", lambda group: [Entry()] if group == interface.GROUP else [])
    assert edges(read(tmp_path, {"a.py": "import json\n"})) == set()
    assert edges(read(tmp_path, {"a.py": "import theirs\n"})) == {("theirs", "a", "b", "x")}
