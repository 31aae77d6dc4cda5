"""One screen to decide on: in sight without scrolling, in the words of whoever answers, behind a link of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_page import opened
from tests.serving import V1, Served, until

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)
SCREEN = {"width": 1280, "height": 720}
TALK = """\
topic: Where the order history is kept
stand_aside: true
issues:
  store: [postgres, files, s3]
  months: [6, 12, 24]
advocates:
  Ann: {priority: Safety, scores: {store: {postgres: 10, s3: 6}, months: {24: 4}}}
  Ben: {priority: Cost, scores: {store: {files: 3, postgres: 2}, months: {6: 4}}}
  Cem: {priority: Speed, scores: {store: {postgres: 5}, months: {12: 3}}}
"""


def test_three_people_propose_and_agree_each_behind_a_link(browser: Browser, serve: Serve) -> None:
    """Options have their words and their worth; nothing is chosen for anybody, and a reason is asked for."""
    served = serve("hello")
    operator = V1(served)
    begun = operator("POST", "/consents", {"scenario": TALK, "humans": ["Ann", "Ben", "Cem"]})
    pages: dict[str, Page] = {}
    for one in begun["seats"]:
        page = pages[one["name"]] = browser.new_context(viewport=SCREEN).new_page()  # type: ignore[arg-type]
        page.set_default_timeout(60_000)
        page.goto(f"{served.url}/#seat={one['key']}")
    for name, page in pages.items():
        expect(page.get_by_text(f"You are {name}")).to_be_visible()
        page.get_by_label("My priority").fill(f"What {name} wants")
        page.get_by_role("button", name="State it").click()
    ann, ben, cem = pages.values()
    ann.get_by_role("button", name="Propose it without a vote …").click()
    expect(ann.get_by_text("postgres worth 10 to you")).to_be_visible()
    expect(ann.locator("input:checked")).to_have_count(0)
    ann.get_by_role("button", name="Propose it without a vote", exact=True).click()
    expect(ann.locator("#toast")).to_have_text(re.compile("Choose one"))
    ann.get_by_label("postgres").check()
    ann.get_by_label(re.compile("^12")).check()
    ann.get_by_role("button", name="Propose it without a vote", exact=True).click()
    ben.get_by_role("button", name="Ask everyone for consent").click()
    cem.get_by_role("button", name="Object …").click()
    cem.get_by_role("button", name="Object", exact=True).click()
    expect(cem.locator("#toast")).to_have_text(re.compile("in your own words"))
    for page in (ben, cem):  # Ann has said yes by proposing
        consent = page.get_by_role("button", name="Consent", exact=True)
        expect(consent).to_be_in_viewport(ratio=1)
        consent.click()
    for page in pages.values():
        expect(page.get_by_role("heading", name="Agreed")).to_be_visible()
        expect(page.get_by_text("store: postgres").first).to_be_visible()
    assert operator("GET", f"/consents/{begun['id']}")["status"] == "DONE"


def test_what_is_decided_and_its_button_are_in_sight(page: Page, serve: Serve) -> None:
    """At 1280 x 720: the deciding line, what it mends and breaks, the first lines of the diff, and the button."""
    served = serve("news_pipeline")
    page.set_viewport_size(SCREEN)  # type: ignore[arg-type]
    opened(page, served)
    page.get_by_role("button", name=re.compile("Does not fit: FetcherService")).click()
    page.get_by_role("button", name="rename items → headlines").click()
    expect(page.get_by_text("✓ It holds.")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Propose it")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Propose it").click()
    for what in (
        page.get_by_role("heading", name="rename items → headlines in CleanerService.clean input"),
        page.get_by_text("Mends FetcherService.fetch_headlines => CleanerService.clean"),
        page.locator(".diff .file", has_text="agents/cleaner.py"),
        page.get_by_role("button", name="Approve"),
        page.get_by_text("FetcherService: accept"),
    ):
        expect(what).to_be_in_viewport()
    page.get_by_text("Sent today, and not accepted").click()
    expect(page.get_by_label("Payload")).to_contain_text('"headlines": []')
    expect(page.get_by_role("button", name="Approve")).to_be_in_viewport(ratio=1)


def test_a_field_and_a_topic_are_found_by_name(page: Page, serve: Serve) -> None:
    """Ctrl-K knows what stands on the screen: a field, a topic, a reason why something does not fit."""
    opened(page, serve("news_pipeline"))
    for name, hint in (
        ("feed_title", "field of FetcherService"),
        ("/News", "topic:"),
        ("edition is required", "does not fit"),
    ):
        page.keyboard.press("Control+k")
        page.keyboard.type(name)
        expect(page.get_by_role("option").filter(has_text=hint).first).to_be_visible()
        page.keyboard.press("Escape")


def test_what_was_not_agreed_is_begun_again(page: Page, serve: Serve) -> None:
    """Where a decision ends without one, the form stands there with its points; a name that no line can hold, too."""
    served = serve("hello")
    operator = V1(served)
    issues = {"place": ["Oslo", "Rome"]}
    for options in (issues, {"place: where": ["Oslo, by the sea", "Rome"]}):
        people = {"Ann": {"priority": "Sun"}, "Ben": {"priority": "Ben"}}
        scenario = json.dumps({"topic": "Where we meet", "issues": options, "advocates": people})
        body = {"scenario": scenario, "humans": list(people), "preferences": "private", "max_turns": 4}
        begun = operator("POST", "/consents", body)
        pass_on(served, begun)
        opened(page, served, f"consent/{begun['id']}")
        expect(page.get_by_text("It ended without a decision").first).to_be_visible()
        page.get_by_role("button", name="Begin again with these points …").click()
        form = page.get_by_role("region", name="Decide by consent")
        expect(form.get_by_label("Private")).to_be_checked()
        form.get_by_role("button", name="Begin, and sit down as Ann").click()
        expect(page.get_by_text("You are Ann")).to_be_visible()
        newest = operator("GET", "/negotiations?kind=consent")["items"][0]["id"]
        told = operator("GET", f"/consents/{newest}")
        assert newest != begun["id"]
        assert {one["name"]: one["options"] for one in told["issues"]} == options
        assert [one["name"] for one in told["advocates"]] == ["Ann", "Ben"]
        page.get_by_role("button", name="Back to the operator's view").click()


def pass_on(served: Served, begun: dict[str, Any]) -> None:
    """Everybody says what matters, and proposes nothing until the turns are used up."""
    said = {"position": {"priority": "Sun"}, "turn": {"move": "pass"}}

    def ended() -> bool:
        for seat in begun["seats"]:
            own = V1(served, seat["key"])
            for one in own("GET", "/questions")["items"]:
                own("POST", f"/questions/{one['id']}/answer", said[one["kind"]])
        return bool(V1(served)("GET", f"/consents/{begun['id']}")["state"] == "ended")

    until(ended, 60)
