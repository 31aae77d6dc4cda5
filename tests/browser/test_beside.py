"""What stands beside the picture: exports and the picture as files, settings, the policy, journals, long types."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_page import opened
from tests.serving import Served, until

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)
LONG = """
from typing import Literal

from graphbus_core import GraphBusNode, depends_on, schema_method


class Giver(GraphBusNode):
    @schema_method(input_schema={"seed": int}, output_schema={"made": int})
    def give(self, seed):
        return {"made": seed}


class Taker(GraphBusNode):
    @depends_on("Giver.give")
    @schema_method(
        input_schema={"made": int, "state": Literal["received", "paid", "packed", "sent", "delivered", "returned"]},
        output_schema={"count": int},
    )
    def take(self, made, state):
        return {"count": made}
"""


def saved(page: Page, button: Locator) -> tuple[str, str]:
    """The name and the text of the file that a button gives."""
    with page.expect_download() as download:
        button.click()
    return download.value.suggested_filename, Path(download.value.path()).read_text("utf-8")


def built(served: Served) -> None:
    with served.client() as client:
        client.start_build(enable_agents=False)
        until(lambda: client.builds()["builds"][0]["state"] != "running", 120)


def test_exports_and_the_picture_are_files(page: Page, serve: Serve) -> None:
    """The build in four forms, and the picture as SVG with every component and every field in it."""
    served = serve("news_pipeline")
    built(served)
    opened(page, served)
    page.get_by_role("link", name="Exports, settings, journals").click()
    for form, file, word in (
        ("Mermaid", "graph.mmd", "flowchart"),
        ("DOT", "graph.dot", "digraph"),
        ("OpenAPI", "openapi.json", '"3.1.0"'),
        ("AsyncAPI", "asyncapi.json", '"asyncapi"'),
    ):
        page.get_by_role("button", name=form, exact=True).click()
        name, text = saved(page, page.get_by_role("button", name=f"Save {file}"))
        assert (name, word in text) == (file, True)
    name, text = saved(page, page.get_by_role("button", name="Save the picture as SVG"))
    drawn = ElementTree.fromstring(text)
    words = {one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert name == "graphbus.svg"
    assert {"CleanerService", "FetcherService", "items", "headlines"} <= words


def test_settings_and_policy(page: Page, serve: Serve) -> None:
    """Settings are proposed as a diff, written on request, and then shown with where they come from."""
    served = serve("hello")
    opened(page, served, "project")
    page.get_by_text("Settings", exact=True).click()
    page.get_by_role("button", name="Propose settings").click()
    expect(page.get_by_label("Diff")).to_contain_text('+roots = ["agents"]')
    assert not (served.folder / "pyproject.toml").exists()
    page.get_by_role("button", name="Write them to pyproject.toml").click()
    expect(page.get_by_text("pyproject.toml:2")).to_be_visible()
    rule = '\n[[tool.graphbus.policy.rules]]\nname = "quiet"\nwho = "Greeter"\npublish = []\n'
    with (served.folder / "pyproject.toml").open("a") as file:
        file.write(rule)
    page.reload()
    page.get_by_text("Policy: who may do what").click()
    expect(page.locator("aside")).to_contain_text("publish nothing")
    page.get_by_label("May this node").fill("Greeter")
    page.get_by_label("do this").select_option("publish")
    page.get_by_label("with this method or topic?").fill("/Greeting")
    page.get_by_role("button", name="Ask the policy").click()
    expect(page.get_by_text("the policy's rule 'quiet'", exact=False)).to_be_visible()


def test_the_code_is_read_without_agents(page: Page, serve: Serve) -> None:
    served = serve("hello")
    (served.folder / "plain.py").write_text("def greet(name: str) -> str:\n    return name\n\n\ngreet(3)\n")
    opened(page, served, "project")
    page.get_by_text("Read the code without agents").click()
    page.get_by_role("button", name="Read it").click()
    expect(page.get_by_label("Findings")).to_contain_text("plain.py:5")


def test_a_journal_is_kept_and_played_again(page: Page, serve: Serve) -> None:
    """From a run with a journal to the same events on the newest build, all in the page."""
    served = serve("hello")
    built(served)
    opened(page, served, "runtime")
    page.get_by_label("Keep a journal").check()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("Running: "))).to_be_visible()
    page.get_by_label("Topic").fill("/Hello/Asked")
    page.get_by_label("Payload (JSON)").fill('{"name": "Momo"}')
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_label("Events", exact=True)).to_contain_text("/Hello/Asked")
    page.get_by_role("link", name="Recorded runs, and replay").click()
    expect(page.get_by_label("Records")).to_contain_text("Momo")  # the newest lies open
    page.get_by_role("button", name="Play it on the newest build").click()
    expect(page.get_by_text("1 event and 0 calls played", exact=False)).to_be_visible()


def test_a_long_type_passes_through_whole(page: Page, serve: Serve, tmp_path: Path) -> None:
    """The picture cuts a long type for the eye; what is proposed has it whole, and it holds."""
    folder = tmp_path / "long"
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "both.py").write_text(LONG)
    served = serve(folder)
    opened(page, served)
    page.get_by_role("button", name=re.compile("Does not fit: Giver")).click()
    page.get_by_role("button", name="pass state through Giver.give").click()
    expect(page.get_by_text("✓ It holds.")).to_be_visible()
    expect(page.get_by_label("Diff")).to_contain_text("'delivered', 'returned']")
