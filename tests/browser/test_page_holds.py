"""The page holds what people do in it: half-typed answers, large integers, odd addresses, many builds, a new token."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.serving import Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(120)

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
        while client.build(run)["state"] == "running":
            time.sleep(0.05)


def test_a_half_typed_answer_stays(page: Page, serve: Serve) -> None:
    """Another question that comes or goes leaves what is being typed alone; one press too many is no error."""
    served = serve("news_pipeline")
    with served.client() as client:
        client.start_build(model="rules", humans=["CleanerService", "FetcherService"])
        opened(page, served, "asked")
        expect(page.get_by_role("heading", name="2 open questions")).to_be_visible()
        first, second = client.questions()["questions"]
        card = page.locator("article").filter(has_text=f"{first['to']} is asked")
        card.locator("textarea").fill('[{"half": "typed"}]')
        client.answer(second["id"], {"proposals": []})
        expect(page.get_by_role("heading", name="1 open question")).to_be_visible()
        expect(card.locator("textarea")).to_have_value('[{"half": "typed"}]')
        card.locator("textarea").fill("[]")
        card.get_by_role("button", name="Answer").dblclick()
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
    """After some builds each finished one draws the graph once, and not at all where another view is open."""
    served = serve("hello")
    opened(page, served)
    expect(page.get_by_role("heading", name="Every link fits")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/graph") else None)
    for number in range(1, 5):
        built(served, enable_agents=False)
        expect(page.get_by_text(f"run-{number}: done")).to_be_visible()
        page.wait_for_timeout(150)
    assert len(asked) == 4
    page.evaluate("location.hash = '#/asked'")
    expect(page.get_by_role("heading", name="Nobody is waiting for you")).to_be_visible()
    built(served, enable_agents=False)
    page.wait_for_timeout(300)
    assert len(asked) == 4


def test_odd_addresses(page: Page, serve: Serve) -> None:
    """A percent sign, and names that every object has, show a view and break nothing."""
    served = serve("hello")
    opened(page, served)
    for address in ("node/%", "constructor", "__proto__", "negotiation/%E0%A4%A"):
        page.evaluate(f"location.hash = '#/{address}'")
        page.wait_for_timeout(200)
        expect(page.locator("main")).not_to_be_empty()
        expect(page.locator("main")).not_to_contain_text("Loading")


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
        opened(page, served)
        page.reload()
        page.get_by_role("button", name="Cancel the build").click()
        expect(page.get_by_text("run-1: cancelled")).to_be_visible()
        expect(page.get_by_role("button", name="Cancel the build")).to_be_hidden()
        page.evaluate("location.hash = '#/negotiation'")
        chosen = page.get_by_label("Negotiation", exact=True)
        before = chosen.input_value()
        time.sleep(1.1)  # another second, another id
        client.start_build(model="rules", humans=["FetcherService"])
        expect(chosen).not_to_have_value(before)
