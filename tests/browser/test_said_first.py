"""What the page says before somebody acts on it: what does not fit, what was asked, and which command helps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from graphbus_core.cli.main import main
from tests.browser.test_page import opened
from tests.serving import V1, Served, declare_items, until

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)
SCENARIO = """\
topic: Where the team meets
issues:
  place: [Lisbon, Oslo]
advocates:
  Ann: {priority: Sun}
  Ben: {priority: Money}
"""


def test_a_build_and_a_start_say_first_what_does_not_fit(page: Page, serve: Serve) -> None:
    """Both links are named beside the button, and the button says that one may go on; so does the palette."""
    served = serve("news_pipeline")
    opened(page, served, "start")
    form = page.get_by_label("Build", exact=True)
    said = page.get_by_label("What does not fit")
    expect(form.get_by_label("What does not fit")).to_contain_text("2 links do not fit. The agents look for a change")
    form.get_by_label("The agents negotiate first").uncheck()
    expect(said).to_contain_text("The build freezes it as it is")
    expect(said.get_by_role("link")).to_have_count(2)
    form.get_by_role("button", name="Build all the same").click()
    expect(page.get_by_text("run-1: done")).to_be_visible()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").fill("Start the runtime")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("a payload that does not fit is refused")
    expect(page.get_by_text("not running")).to_be_visible()
    page.get_by_role("button", name="Start all the same").click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    expect(said).not_to_contain_text("a payload")  # with which checks it runs is not known here


def is_done(api: V1, build: str) -> bool:
    """Whether a build came to its end."""
    return bool(api("GET", f"/builds/{build}")["state"] == "done")


def test_a_negotiation_is_named_by_its_question(page: Page, serve: Serve) -> None:
    """A build by what it was to mend or by its intent, a decision by its topic; its time or its id stands beside it."""
    served = serve("news_pipeline")
    declare_items(served.folder)
    api = V1(served)
    for intent in (None, "Readers see the `edition` of a digest"):
        build = api("POST", "/builds", {"enable_agents": True, "model": "rules", "dry_run": True, "intent": intent})
        until(partial(is_done, api, build["id"]), 120)
    api("POST", "/consents", {"scenario": SCENARIO, "humans": ["Ann", "Ben"]})
    opened(page, served, "negotiations")
    rows = page.locator("aside .list li")
    expect(rows).to_have_count(3)
    names = [row.get_by_role("link").inner_text() for row in rows.all()]
    assert names[0] == "Readers see the `edition` of a digest"  # as it was typed: a person's words are no command
    assert names[1].endswith(", and 1 more")
    assert " => " in names[1]
    assert names[2] == "Where the team meets"
    expect(rows.nth(1)).to_contain_text("Dry run of 20")
    expect(rows.nth(2)).to_contain_text("Decision consent-")
    rows.nth(2).get_by_role("link").click()
    expect(page.get_by_role("heading", name="Where the team meets")).to_be_visible()


def test_a_command_in_a_sentence_looks_like_one(page: Page, serve: Serve) -> None:
    """What a message puts between backticks is code, and no backtick is left; a payload stays as it came."""
    served = serve("hello")
    detail = "There is no team in this repository. Begin one here, or with `graphbus team start`."  # a server's own
    problem = {"type": "x", "title": "x", "status": 409, "detail": detail, "code": "conflict", "path": None}
    page.route("**/exports/*", lambda route: route.fulfill(status=409, json=problem))
    V1(served)("POST", "/builds", {"enable_agents": False})  # else no export is asked for
    until(lambda: V1(served)("GET", "/builds")["items"][0]["state"] != "running")
    opened(page, served, "project")
    expect(page.get_by_role("alert")).to_be_hidden()  # no red band without a word
    page.get_by_role("button", name="AsyncAPI").click()
    expect(page.get_by_role("alert").locator("code").first).to_have_text("graphbus team start")
    expect(page.get_by_role("alert")).not_to_contain_text("`")
    with served.client() as client:
        client.start_runtime("off")
        client.publish("/Hello/Greeted", {"message": "`as it came`"})
    page.evaluate("location.hash = '#/runtime'")
    expect(page.get_by_label("Events", exact=True)).to_contain_text("`as it came`")


def test_what_validate_finds_stands_on_the_first_screen(page: Page, serve: Serve) -> None:
    """Every link of the example fits, and its policy forbids a call that is written out: nothing is called right."""
    served = serve("orders")
    opened(page, served)
    expect(page.get_by_role("heading", name="Every link fits; 1 other error was found")).to_be_visible()
    finding = page.get_by_label("Findings").first
    expect(finding).to_contain_text("Shop may not call Stock.wipe")
    expect(finding).to_contain_text("GB111, agents/shop.py:")
    page.get_by_role("button", name="Build", exact=True).click()
    expect(
        page.get_by_role("heading", name="The build is done, and every link fits; 1 other error was found")
    ).to_be_visible()
    expect(page.get_by_label("Findings").first).to_contain_text("Shop may not call Stock.wipe")
    source = served.folder / "agents" / "shop.py"
    source.write_text(source.read_text().replace('self.nodes.Stock.wipe()["wiped"]', "False"))
    page.evaluate("location.hash = '#/'")
    expect(page.get_by_role("heading", name="Every link fits", exact=True)).to_be_visible()


def test_what_is_in_the_baseline_is_told_apart(page: Page, serve: Serve) -> None:
    """`validate` passes with it, and the page says that of each such link; a new one stands as ever."""
    served = serve("news_pipeline")
    main(["baseline", str(served.folder / "agents")])
    opened(page, served)
    rows = page.locator("aside .list").first.locator("li")
    expect(rows).to_have_count(2)
    for row in rows.all():
        expect(row).to_contain_text("ignored, or in the baseline")
    written = next(served.folder.rglob("graphbus-baseline.json"))
    written.write_text('{"version": 1, "findings": []}')
    page.evaluate("location.hash = '#/runtime'")  # it is asked for anew with each picture and each visit
    page.evaluate("location.hash = '#/'")
    expect(rows.first).not_to_contain_text("in the baseline")
