"""Time in the page: a dry run that starts from a fact, and the trace of a call with its events and their handlers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.serving import Served, declare_items, until

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)

# Every number of a fact on the screen, looked at whenever one of them changes: where two differ, both are kept.
COUNTS = r"""() => {
  window.counted = [];
  const look = () => {
    const axis = /(\d+) of \d+ facts/.exec(document.querySelector(".axis")?.innerText ?? "");
    const panel = /after fact (\d+) of/.exec(document.querySelector("aside")?.innerText ?? "");
    if (axis && panel && axis[1] !== panel[1]) window.counted.push([axis[1], panel[1]]);
  };
  new MutationObserver(look).observe(document.body, {childList: true, characterData: true, subtree: true});
}"""
CHAIN = """
from graphbus_core import GraphBusNode, schema_method, subscribe


class Desk(GraphBusNode):
    @schema_method(input_schema={"title": str}, output_schema={})
    def hand_back(self, title):
        self.publish("/Book/Returned", {"title": title})
        return {}


class Shelf(GraphBusNode):
    @subscribe("/Book/Returned")
    def on_returned(self, payload):
        self.publish("/Book/Shelved", payload)


class Board(GraphBusNode):
    @subscribe("/Book/Shelved")
    def on_shelved(self, payload):
        raise ValueError("no chalk")
"""


def test_a_dry_run_starts_from_a_fact_of_the_axis(page: Page, serve: Serve) -> None:
    """Drag the axis back to the start and fork: everything is agreed again, in a copy; the sources stay as they are."""
    served = serve("news_pipeline")
    declare_items(served.folder)
    with served.client() as client:
        client.start_build(model="rules")
        until(lambda: client.builds()["builds"][0]["state"] == "done", 120)
        [first] = client.negotiations()["negotiations"]
    sources = {path: path.read_text() for path in served.folder.glob("agents/*.py")}
    opened(page, served, f"negotiation/{first['id']}?at=1")
    expect(page.get_by_text("as it stood after fact 1")).to_be_visible()
    page.get_by_role("button", name="Fork here").click()
    expect(page.get_by_text("A fork is a dry run from here", exact=False)).to_be_visible()  # nothing begins unasked
    page.get_by_role("button", name="Begin the dry run").click()
    expect(page.get_by_text("A dry run from that fact is under way", exact=False)).to_be_visible()
    expect(page.get_by_text("a dry run: nothing was changed")).to_be_visible(timeout=120_000)
    expect(page.get_by_role("heading", level=2)).not_to_have_text(first["id"])
    expect(page.locator(".outcome.committed")).to_have_count(1)  # from the end there would be nothing left to agree
    assert {path: path.read_text() for path in served.folder.glob("agents/*.py")} == sources
    page.get_by_role("button", name="Close the time axis").click()
    expect(page.locator(".axis .lanes")).to_have_count(0)
    page.reload()  # as it was left
    expect(page.get_by_role("button", name="Show the time axis")).to_be_visible()
    page.get_by_role("button", name="Show the time axis").press("Enter")
    expect(page.get_by_role("button", name="Close the time axis")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Show the time axis")).to_be_focused()


def test_a_recorded_build_is_played_and_stepped_to_its_end(page: Page, serve: Serve) -> None:
    """Through every commit of it, without an error; between two commits the picture has the fields of then."""
    served = serve("news_pipeline")
    declare_items(served.folder)
    with served.client() as client:
        client.start_build(model="rules")
        until(lambda: client.builds()["builds"][0]["state"] == "done", 120)
        [first] = client.negotiations()["negotiations"]
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    opened(page, served, f"negotiation/{first['id']}?at=1")
    taken = page.locator(".node", has_text="CleanerService").locator(".in")
    expect(taken.filter(has_text="items")).to_have_count(1)
    last = int(page.get_by_text(re.compile(r"\d+ of \d+ facts")).first.inner_text().split(" of ")[1].split()[0])
    for number in range(2, last + 1):
        page.evaluate("at => { location.hash = location.hash.replace(/at=\\d+/, `at=${at}`); }", number)
        expect(page.get_by_text(re.compile(rf"^{number} of {last} facts")).first).to_be_attached()
    expect(taken.filter(has_text="headlines")).to_have_count(1)
    page.evaluate("location.hash = location.hash.replace(/at=\\d+/, 'at=1')")
    expect(taken.filter(has_text="items")).to_have_count(1)
    page.evaluate(COUNTS)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible(timeout=200_000)
    assert page.evaluate("window.counted") == []
    expect(taken.filter(has_text="headlines")).to_have_count(1)
    assert errors == []


def test_a_build_without_agents_draws_no_negotiation(page: Page, serve: Serve) -> None:
    """What was negotiated stays to be looked at; it is not drawn as if the last build had held it."""
    served = serve("news_pipeline")
    declare_items(served.folder)
    with served.client() as client:
        client.start_build(model="rules")
        until(lambda: client.builds()["builds"][0]["state"] == "done", 120)
        [first] = client.negotiations()["negotiations"]
        opened(page, served)
        axis = page.get_by_role("region", name="Time axis")
        axis.get_by_role("button", name="Show the time axis").click()
        expect(axis.get_by_role("img", name="CleanerService", exact=False)).to_be_visible()
        less = axis.get_by_role("button", name="Show less time")
        less.click()
        expect(axis.get_by_role("button", name="Show more time")).to_be_enabled()
        client.start_build(enable_agents=False)
        until(lambda: [one["state"] for one in client.builds()["builds"]] == ["done", "done"], 120)
    expect(axis).to_have_count(0)
    page.evaluate(f"location.hash = '#/negotiation/{first['id']}'")
    expect(axis).to_be_visible()


def test_the_trace_of_a_call_shows_its_events_and_their_handlers(page: Page, serve: Serve, tmp_path: Path) -> None:
    """From a call in the list to everything that followed, in its order, with times, and the handler that failed."""
    folder = tmp_path / "library"
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "library.py").write_text(CHAIN)
    served = serve(folder)
    with served.client() as client:
        client.start_runtime("off")
        client.call("Desk", "hand_back", {"title": "Momo"})
        until(lambda: client.dead_letters()["dead_letters"])
    opened(page, served, "runtime")
    axis = page.get_by_role("region", name="Time axis")
    for lane, marks in (("calls: 1 step,", 1), ("events: 2 steps,", 2)):
        track = axis.get_by_role("img", name=lane, exact=False)
        expect(track.locator("rect:not(.fold)")).to_have_count(marks)
    page.get_by_label("Calls").get_by_role("link", name="Desk.hand_back").click()
    rows = page.get_by_label("Trace").get_by_role("listitem")
    expect(rows).to_have_count(5)
    said = [" ".join(row.inner_text().split()) for row in rows.all()]
    assert [re.sub(r"( took| after)? \+?[0-9.]+ ms$", "", one) for one in said] == [
        "call Desk.hand_back",
        "event /Book/Returned",
        "handled by Shelf.on_returned",
        "event /Book/Shelved",
        "handled by Board.on_shelved raised ValueError",
    ]
    rows.nth(3).get_by_role("link").click()
    expect(page.get_by_label("Payload")).to_contain_text("Momo")
    expect(page.get_by_text("did not take it", exact=False)).to_contain_text("no chalk")
    expect(page.locator('.falls li[aria-current="true"]')).to_contain_text("/Book/Shelved")
