"""A trial says what the build that follows does, at every gate, or says in its verdict what is not known yet."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.cli.examples import example
from graphbus_core.commit.disk import RealDisk
from graphbus_core.commit.engine import CommitEngine
from graphbus_core.config import BuildConfig
from graphbus_core.services.changes import Changes
from graphbus_core.services.queries.project import ProjectView
from graphbus_core.testing import write_files
from tests.serving import V1, Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(180)

SHOP = """from graphbus_core import GraphBusNode, depends_on, schema_method


class Maker(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"title": int, "words": list[str]})
    def make(self):
        return {"title": 1, "words": []}


class Shower(GraphBusNode):
    @depends_on("Maker.make")
    @schema_method(input_schema={"title": str}, output_schema={"line": str})
    def show(self, title):
        return {"line": getattr(title, "upper")()}


class Counter(GraphBusNode):
    @depends_on("Maker.make")
    @schema_method(input_schema={"texts": list[str], "title": int}, output_schema={"count": int})
    def count(self, texts, title):
        return {"count": len(texts) + title}
"""
WIDER = {"op": "retype_field", "node": "Shower", "method": "show", "side": "input", "field": "title"}
WIDER |= {"type": "int | str"}
WITHOUT = {"op": "set_optional", "node": "Counter", "method": "count", "side": "input", "field": "texts"}
WITHOUT |= {"optional": True}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    write_files(tmp_path / "shop", {"agents/__init__.py": "", "agents/shop.py": SHOP})
    return tmp_path / "shop"


@pytest.fixture
def ask(serve: Serve, shop: Path) -> Iterator[V1]:
    asking = V1(serve(shop))
    yield asking
    asking.http.close()


def build(ask: V1, agent: str, diff: list[dict[str, Any]]) -> dict[str, Any]:
    """A build that carries one proposal, to its end; what a person is asked is declined."""
    proposal = {"agent": agent, "diff": diff, "summary": "Take numbers, too"}
    run = ask("POST", "/builds", {"proposal": proposal, "model": "rules", "rounds": 1, "approve": True})["id"]
    while (found := next(one for one in ask("GET", "/builds")["items"] if one["id"] == run))["state"] == "running":
        for question in ask("GET", "/questions")["items"]:
            ask("POST", f"/questions/{question['id']}/answer", {"approve": False, "reason": "not today"})
        time.sleep(0.05)
    return found


def test_a_trial_meets_the_rehearsal_as_the_build_does(ask: V1) -> None:
    """Without the call it says so above all; with it, it names whose payload went in, and the line that failed."""
    early = ask("POST", "/try", {"diff": [WIDER], "call_methods": False})
    assert early["passes"] is True
    assert [one["gate"] for one in early["open"]] == ["rehearsal"]
    assert early["verdict"].startswith("It holds so far. Not known yet: rehearsal")
    tried = ask("POST", "/try", {"diff": [WIDER]})
    assert (tried["passes"], tried["gate"], tried["open"], tried["mends"]) == (False, "rehearsal", [], [])
    assert tried["verdict"] == f"It does not hold: {tried['reason']}"
    assert "Maker.make may send that" in tried["reason"]
    assert 'at agents/shop.py:14 (`return {"line": getattr(title, "upper")()}`)' in tried["reason"]
    ended = build(ask, "Shower", [WIDER])
    assert ended["outcomes"] == {"commit_failed": 1}
    assert ended["detail"] == "0 committed, 1 refused by a gate"
    (short,) = ask("GET", "/negotiations")["items"]
    assert (short["question"], short["outcome"]) == ("Take numbers, too", "1 refused by a gate")
    told = ask("GET", f"/negotiations/{short['id']}")["log"]
    (failed,) = told["rounds"][0]["proposals"]
    assert (told["commit_failed"], told["ended"]["why"]) == (1, "1 round was held, as many as there may be")
    assert (failed["gates"]["failed"]["gate"], failed["why"]) == ("rehearsal", tried["reason"])


def test_what_nobody_sends_any_more_is_told_and_no_order_changes(ask: V1, shop: Path) -> None:
    """It breaks no link, and the count is of nothing from then on."""
    tried = ask("POST", "/try", {"diff": [WITHOUT]})
    assert (tried["passes"], tried["breaks"], tried["mends"]) == (True, [], ["Maker.make => Counter.count"])
    (lost,) = tried["unsent"]
    assert lost.startswith("Counter.count gets no texts, which Maker.make would have to send")
    assert lost.endswith("What is sent there and not taken: words.")
    assert tried["verdict"] == f"It can be done, but {lost}"
    assert "+    def count(self, *, texts=None, title):" in tried["unified_diff"]
    assert "'texts' and 'title' can only be given by name from now on" in tried["notes"][0]
    ended = build(ask, "Counter", [WITHOUT])
    assert (ended["outcomes"], ended["detail"]) == ({"withdrawn": 1}, "0 committed, 1 declined by a person")
    (short,) = ask("GET", "/negotiations")["items"]
    (declined,) = ask("GET", f"/negotiations/{short['id']}")["log"]["rounds"][0]["proposals"]
    assert (short["outcome"], declined["unsent"]) == ("1 declined by a person", [lost])
    assert lost in declined["evaluations"][0]["reasoning"]
    assert (shop / "agents/shop.py").read_text() == SHOP


def test_the_other_roads_say_the_same(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody says who sits at the table, it is who a build would seat: rules, where no model is named."""
    changes = Changes(ProjectView(shop / "agents", shop / ".graphbus"), shop / ".graphbus", lambda: False)
    assert changes.try_diff([WIDER])["gate"] == "rehearsal"
    assert changes.try_diff([WIDER], with_rules=False)["gate"] is None
    monkeypatch.setenv("GRAPHBUS_MODEL", "mcp")
    assert changes.try_diff([WIDER])["verdict"] == "It holds."
    monkeypatch.setenv("GRAPHBUS_VERIFY", "true")
    told = changes.try_diff([WIDER])
    assert told["verdict"].startswith("It holds so far. Not known yet: verify (--verify true is run by the build")
    assert [one["gate"] for one in told["open"]] == ["verify"]


def test_only_what_is_new_stands_under_what_breaks(shop: Path) -> None:
    """The link failed in texts before; the rename is to blame for its title alone."""
    rename = {"op": "rename_field", "node": "Maker", "method": "make", "side": "output", "field": "title", "to": "name"}
    changes = Changes(ProjectView(shop / "agents", shop / ".graphbus"), shop / ".graphbus", lambda: False)
    reason = changes.try_diff([rename])["reason"]
    told = reason[reason.index("Counter.count: ") :] if "Counter.count: " in reason else reason
    assert "title is required" in told
    assert "texts" not in told.partition("For example")[0]
    assert "(and what was wrong before: 1 reason)" in told


def test_what_nobody_sent_before_either_is_told_and_is_no_loss(tmp_path: Path) -> None:
    """A required field that no producer sends becomes optional: the verdict says that nothing arrives, as before."""
    shutil.copytree(example("news_pipeline"), tmp_path / "news")
    changes = Changes(ProjectView(tmp_path / "news", tmp_path / "state"), tmp_path / "state", lambda: False)
    place = {"node": "FormatterService", "method": "format_digest", "side": "input"}
    told = changes.try_diff([{"op": "set_optional", **place, "field": "edition", "optional": True}])
    sentence = (
        "Nobody sends edition to FormatterService.format_digest, before this change or after it: it is no longer "
        "required, and nothing is lost."
    )
    assert (told["unsent"], told["never_sent"]) == ([], [sentence])
    assert told["verdict"] == f"It can be done, and does not mend all of it yet. {sentence}"
    number = changes.try_diff([{"op": "retype_field", **place, "field": "minutes", "type": "float"}])
    assert (number["never_sent"], number["verdict"]) == ([], "It can be done, and does not mend all of it yet.")


class WatchedDisk(RealDisk):
    """A disk that lets something happen before it swaps the new bytes of a source for the old ones."""

    def __init__(self, project: Path, state: Path, meanwhile: Callable[[], object]) -> None:
        super().__init__(project, state)
        self.meanwhile = meanwhile

    def exchange(self, path: str, other: str) -> bool:
        self.meanwhile()
        return super().exchange(path, other)


def test_a_trial_leaves_a_commit_that_is_being_written_alone(shop: Path) -> None:
    """Whoever tries the next change while one lands takes away nothing that lies beside the sources then: the swap
    would find no new bytes, and the commit would be refused."""
    changes = Changes(ProjectView(shop / "agents", shop / ".graphbus"), shop / ".graphbus", lambda: True)
    tried: list[bool] = []
    disk = WatchedDisk(shop, shop / ".graphbus", lambda: tried.append(changes.try_diff([WITHOUT])["passes"]))
    config = BuildConfig(root_package=str(shop / "agents"), output_dir=str(shop / ".graphbus"))
    with CommitEngine(scan(str(shop / "agents")), config, disk=disk) as engine:
        receipt = engine.apply("commit", {"proposal_id": "p-1", "diff": [WITHOUT]})
    assert (receipt["status"], receipt["reason"]) == ("committed", "")
    assert tried == [True]
    assert "def count(self, *, texts=None, title):" in (shop / "agents/shop.py").read_text()


def test_a_change_is_tried_on_top_of_what_is_agreed(serve: Any) -> None:
    """What was approved and is in no file yet stands in the diff as it will, and is no part of the change; the files
    stay. What cannot be carried out of it is left out."""
    served = serve("news_pipeline")
    ask = V1(served)
    end = {"node": "FormatterService", "method": "format_digest", "side": "input"}
    minutes = {"op": "retype_field", **end, "field": "minutes", "type": "float"}
    edition = {"op": "set_optional", **end, "field": "edition", "optional": True}
    lost = {"op": "remove_field", **end, "field": "never there"}
    source = (served.folder / "agents" / "formatter.py").read_text()
    alone = ask("POST", "/try", {"diff": [edition]})
    tried = ask("POST", "/try", {"diff": [edition], "after": [[minutes], [lost]]})
    changed = [[line for line in one["unified_diff"].splitlines() if '"edition":' in line] for one in (alone, tried)]
    assert [line[0] for line in changed[1]] == ["-", "+"]
    assert all('"minutes": int' in line for line in changed[0])
    assert all('"minutes": float' in line for line in changed[1])
    (before,), (left,) = alone["left"], tried["left"]
    assert sorted(before["fields"]) == ["feed_title", "minutes"]
    assert left["fields"] == ["feed_title"]
    assert (served.folder / "agents" / "formatter.py").read_text() == source
    ask.http.close()
