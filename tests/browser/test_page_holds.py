"""The page holds what people do in it: half-typed answers, large integers, odd addresses, many builds, a new token."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.serving import V1, Served, until

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)

NODES = """
from graphbus_core import GraphBusNode, schema_method, subscribe


class Tree(GraphBusNode):
    @schema_method(input_schema={"big": int}, output_schema={"big": int})
    def same(self, big: int):
        return {"big": big}

    @schema_method(
        input_schema={
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {"child": {"$ref": "#"}},
        }
    )
    def grow(self, child=None):
        return {}

    @subscribe("/Tree/Fell")
    def on_fell(self, payload):
        raise ValueError("the tree is gone")
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "tree.py").write_text(NODES)
    return folder


def built(served: Served, **settings: Any) -> None:
    with served.client() as client:
        run = client.start_build(**settings)["id"]
        until(lambda: client.build(run)["state"] != "running")


def test_a_half_typed_answer_stays(page: Page, serve: Serve) -> None:
    """Another question that comes or goes leaves what is being typed alone; one press too many is not an error."""
    served = serve("news_pipeline")
    with served.client() as client:
        client.start_build(model="rules", humans=["CleanerService", "FetcherService"])
        opened(page, served, "inbox")
        expect(page.get_by_role("heading", name="2 open questions")).to_be_visible()
        first, second = client.questions()["questions"]
        card = page.locator("article").filter(has_text=f"{first['to']} is asked")
        card.get_by_role("button", name="Add a step").click()
        name = card.get_by_label("Name, in step 1")
        name.fill("half-typed")
        client.answer(second["id"], {"proposals": []})
        expect(page.get_by_role("heading", name="1 open question")).to_be_visible()
        expect(name).to_have_value("half-typed")
        card.get_by_role("button", name="Nothing to propose").dblclick()
        expect(card).to_have_count(0)
        expect(page.locator("#toast")).to_be_empty()


def test_large_integers_and_endless_contracts(page: Page, serve: Serve, tree: Path) -> None:
    """An integer arrives as it was typed and is shown as it came; a contract that contains itself has a form."""
    served = serve(tree)
    with served.client() as client:
        client.start_runtime("off")
        opened(page, served, "node/Tree")
        card = page.locator(".card").filter(has=page.get_by_role("heading", name="Tree.same"))
        card.get_by_label("big").fill("9007199254740993")
        card.get_by_role("button", name="Call same").click()
        expect(card.get_by_label("Result")).to_contain_text('"big": 9007199254740993')
        expect(page.get_by_role("button", name="Call grow")).to_be_visible()
        client.publish("/Tree/Fell", {})
        page.evaluate("location.hash = '#/runtime'")
        expect(page.get_by_text("ValueError: the tree is gone")).to_be_visible()


def test_many_builds_cost_no_more_than_one(page: Page, serve: Serve) -> None:
    """After some builds each finished one asks as often as the first: nothing listens twice."""
    served = serve("hello")
    opened(page, served)
    expect(page.get_by_role("heading", name="Every link fits")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/builds") else None)
    costs = []
    for number in range(1, 5):
        before = len(asked)
        built(served, enable_agents=False)
        expect(page.get_by_text(f"run-{number}: done")).to_be_visible()
        page.wait_for_timeout(150)
        costs.append(len(asked) - before)
    assert max(costs) <= 4, costs  # one for each state that the stream tells of, however many builds there were


def test_odd_addresses(page: Page, serve: Serve) -> None:
    """A percent sign, and names that every object has, show a view and break nothing."""
    served = serve("hello")
    opened(page, served)
    for address in (
        "node/%",
        "constructor",
        "__proto__",
        "negotiation/%E0%A4%A",
        "link/x",
        "proposal/a/b",
        "event/1",
        "document/x",
    ):
        page.evaluate(f"location.hash = '#/{address}'")
        page.wait_for_timeout(200)
        expect(page.locator("aside h2").first).to_be_visible()
        expect(page.locator("aside")).not_to_contain_text("Loading")


def test_the_right_address_in_an_open_tab(page: Page, serve: Serve) -> None:
    """Pasted where the token was missing or an old one, it is taken; a plus in it stays a plus."""
    served = serve("hello", GRAPHBUS_TOKEN="my+own/token")
    page.goto(f"{served.url}/")
    expect(page.get_by_role("heading", name="The token is missing")).to_be_visible()
    page.goto(f"{served.url}/#token=wrong")
    expect(page.locator("#state")).to_contain_text("refused")
    page.goto(f"{served.url}/#token=my+own/token")
    expect(page.locator("#state")).to_have_text("live")
    expect(page.get_by_role("heading", name="Every link fits")).to_be_visible()
    assert "token" not in page.url


def test_a_build_is_cancelled_and_followed(page: Page, serve: Serve) -> None:
    """A running build is told and can be cancelled, also after a reload; the negotiation view follows a new one."""
    served = serve("news_pipeline")
    with served.client() as client:
        client.start_build(model="rules", humans=["FetcherService"])
        until(lambda: client.questions()["questions"], 120)  # the negotiation has begun: its log is there to go on with
        opened(page, served)
        page.reload()
        page.get_by_role("button", name="Cancel the build").click()
        expect(page.get_by_text("run-1: cancelled")).to_be_visible()
        expect(page.get_by_role("button", name="Cancel the build")).to_be_hidden()
        expect(page.get_by_text("was interrupted", exact=False)).to_be_visible()
        page.evaluate("location.hash = '#/negotiations'")
        expect(page.locator("aside .list li")).to_have_count(1)
        client.start_build(model="rules", humans=["FetcherService"])
        expect(page.locator("aside .list li")).to_have_count(2)
        expect(page.locator("aside .list li").first).to_contain_text("under way")


HOSTILE = """
from graphbus_core import GraphBusNode, publishes, schema_method


class Odd(GraphBusNode):
    SYSTEM_PROMPT = "<img src=x onerror=document.title='owned'> \\u202egnitirw desrever\\u202c and \\u2066more"

    @publishes("/<script>document.title='owned'</script>", None)
    @schema_method(input_schema={"a\\u202eb": str}, output_schema={"x": str})
    def give(self, **fields):
        self.publish("/<script>document.title='owned'</script>", {"<b>": "\\u202e<img src=x onerror=alert(1)>"})
        return {"x": "javascript:alert(1) \\u202edlrow"}
"""


def test_hostile_text_neither_runs_nor_reverses(page: Page, serve: Serve, tmp_path: Path) -> None:
    """What a project or a program says is shown as text; a control that turns the direction is written out."""
    folder = tmp_path / "odd"
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "odd.py").write_text(HOSTILE)
    served = serve(folder)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    with served.client() as client:
        client.start_runtime("off")
        client.publish("/odd", {"text": "\u202e<img src=x onerror=document.title='owned'>"}, source="<b>\u2067who")
    for place in ("", "node/Odd", "runtime", "link/<script>", "start"):
        opened(page, served, place.replace("'", ""))
        page.wait_for_timeout(250)
        shown = page.locator("body").inner_text()
        assert not [c for c in shown if c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"]
        assert page.locator("img, script:not([src])").count() == 0
    opened(page, served, "node/Odd")
    expect(page.locator(".prompt")).to_contain_text("⟦U+202E⟧gnitirw")
    assert (page.title(), dialogs) == ("GraphBus", [])


def test_a_picture_that_did_not_change_is_not_sent_again(page: Page, serve: Serve) -> None:
    """The page looks every few seconds whether a source was edited: that costs nothing while none was."""
    served = serve("hello")
    told: list[int] = []
    page.on("response", lambda one: told.append(one.status) if one.url.endswith("/picture") else None)
    opened(page, served)
    expect(page.get_by_role("heading", name="Every link fits")).to_be_visible()

    def looked_again() -> bool:
        page.wait_for_timeout(200)
        return len(told) >= 2

    until(looked_again)
    assert told[0] == 200
    assert set(told[1:]) == {304}


def test_a_steady_flow_of_events_is_freed(page: Page, serve: Serve) -> None:
    """Events that leave the list leave the memory. A few at a time: a flood replaces the list, and hides a leak."""
    served = serve("news_pipeline")
    session = page.context.new_cdp_session(page)

    def nodes() -> int:
        for _ in range(3):
            session.send("HeapProfiler.collectGarbage")
        return int(session.send("Memory.getDOMCounters")["nodes"])

    built(served)
    with served.client() as client:
        client.start_runtime("off")
        opened(page, served, "runtime")
        counts = []
        for flow in range(46):
            for number in range(5):
                client.publish("/Steady", {"number": flow * 5 + number})
            expect(page.locator(".events")).to_contain_text(f'{{"number":{flow * 5 + 4}}}')
            if flow in (22, 45):  # the list is full
                counts.append(nodes())
    assert counts[1] - counts[0] < 400, counts


def test_nothing_claims_to_be_live_while_the_server_is_down(page: Page, serve: Serve) -> None:
    """A runtime that ran is not shown as running where nobody answers; it says since when, and that it tries again."""
    served = serve("hello")
    with served.client() as client:
        client.start_build(enable_agents=False)
        until(lambda: client.builds()["builds"][0]["state"] == "done", 120)
        client.start_runtime("off")
    opened(page, served, "runtime")
    header = page.get_by_role("banner")
    expect(header).to_contain_text("● running")
    served.process.kill()  # without a goodbye
    served.process.wait(30)
    expect(header).to_contain_text(re.compile(r"connection lost at \d\d:\d\d:\d\d, trying again"))
    expect(header).not_to_contain_text("● running")
    expect(header).to_contain_text("not known now, it was running")
    expect(page.get_by_role("heading", name="The server does not answer")).to_be_visible()


def test_the_page_goes_on_by_itself_when_the_server_is_back(page: Page, serve: Serve) -> None:
    """Without a reload, for the operator and for a person at a table: both see what the new server knows."""
    fixed = {"GRAPHBUS_TOKEN": "a-token-that-outlives-the-server"}
    served = serve("hello", **fixed)
    operator = V1(served)
    texts = [{"name": f"source-{i}", "text": f"# {i}\nKeep logs {i} days.\n"} for i in (1, 2)]
    operator("POST", "/documents", {"name": "logs", "topic": "How long logs are kept", "sources": texts, "agents": 2})
    key, _ = (operator("POST", "/seats", {"table": "document/logs", "name": who})["key"] for who in ("ann", "bob"))
    opened(page, served, "runtime")
    assert page.context.browser is not None
    ann = page.context.browser.new_context().new_page()
    ann.goto(f"{served.url}/#seat={key}")
    ann.get_by_label("Other words, difference 1").fill("Logs are kept 4 days.")
    for one in (page, ann):
        one.evaluate("window.stayed = true")
    ann.route("**/documents/logs", lambda route: route.abort())  # as where it is asked for before somebody answers
    served.process.kill()
    served.process.wait(30)
    for one in (page, ann):
        expect(one.locator("#state")).to_contain_text("connection lost")
    again = serve(served.folder, "--port", served.url.rpartition(":")[2], **fixed)
    for one in (page, ann):
        expect(one.locator("#state")).to_have_text("live")
    ann.unroute("**/documents/logs")
    with again.client() as client:
        client.start_build(enable_agents=False)
        until(lambda: client.builds()["builds"][0]["state"] == "done", 120)
        client.start_runtime("off")
        client.publish("/Back", {"number": 1})
    expect(page.get_by_role("heading", name="Running: 2 nodes")).to_be_visible()
    expect(page.get_by_label("Events", exact=True)).to_contain_text("/Back")
    ann.get_by_role("button", name="Hand the turn over").click()  # what she had typed before is what is said
    expect(ann.get_by_text("It is the turn of bob")).to_be_visible()
    expect(ann.locator(".issue")).to_contain_text("Logs are kept 4 days.")
    assert [one.evaluate("window.stayed") for one in (page, ann)] == [True, True]
