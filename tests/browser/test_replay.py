"""The replay shows what was: its picture, what is clicked in it, its last fact; and its controls stand still."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.serving import V1, Served, until, write_news_script

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)
JOINED = "CleanerService.clean => FormatterService.format_digest"
PLACES = """() => Object.fromEntries([...document.querySelectorAll(".controls button, .controls input")].map((one) => {
  const { left, top, width } = one.getBoundingClientRect();
  const name = one.getAttribute("aria-label") || one.textContent.replace("Pause", "Play") || one.type;
  return [name, [left, top, width].map(Math.round)];
}))"""

GAP = """() => document.querySelector(".axis").getBoundingClientRect().top
  - document.querySelector(".picture").getBoundingClientRect().bottom"""


@pytest.fixture
def built(serve: Serve) -> tuple[Served, dict[str, Any], str, list[dict[str, Any]]]:
    """A build of two commits: the server, the picture before it, its negotiation and its facts."""
    served = serve("news_pipeline")
    ask = V1(served)
    before = ask("GET", "/picture")
    ask("POST", "/builds", {"model": write_news_script(served.folder)})
    until(lambda: ask("GET", "/builds")["items"][0]["state"] == "done", 120)
    negotiation = ask("GET", "/builds")["items"][0]["build_id"]
    return served, before, negotiation, ask("GET", f"/negotiations/{negotiation}/facts?limit=500")["items"]


Built = tuple[Served, dict[str, Any], str, list[dict[str, Any]]]


def show(page: Page, negotiation: str, at: int) -> None:
    page.evaluate(f"location.hash = '#/negotiation/{negotiation}?at={at}'")
    expect(page.get_by_text(re.compile(rf"^{at} of \d+ facts")).first).to_be_attached()


def test_what_is_clicked_in_the_past_is_told_as_it_was(page: Page, built: Built) -> None:
    """A chip says the same as live, and opens the payload and the reasons of then; so does a card, and a step on tells
    what became of it."""
    served, before, negotiation, facts = built
    commits = [fact["seq"] for fact in facts if fact["kind"] == "proposal_committed"]
    opened(page, served)
    expect(
        page.get_by_role("heading", name="Every link fits").or_(page.get_by_text("does not fit")).first
    ).to_be_visible()
    show(page, negotiation, 4)
    chip = page.locator(".chip", has_text="no feed_title")
    expect(chip).to_be_visible()
    expect(page.locator(".picture .then")).to_contain_text(f"after fact 4 of {len(facts)}")
    chip.click()
    panel = page.get_by_role("complementary")
    expect(panel.get_by_role("status").first).to_have_text(f"It did not fit, after fact 4 of {len(facts)}.")
    [link] = [one for one in before["links"] if one["id"] == JOINED]
    for proof in link["proofs"]:
        expect(panel).to_contain_text(proof["reason"])
    expect(panel.get_by_label("Payload of then").first).to_contain_text("articles")
    assert "at=4" in page.url
    expect(page.get_by_text(re.compile(r"^4 of \d+ facts"))).to_be_visible()
    slider = page.get_by_label("Replay: facts shown")
    slider.fill(str(commits[-1]))
    expect(panel.get_by_role("status").first).to_contain_text("It fitted: everything that could be sent was taken")
    slider.fill("1")
    page.locator(".node", has_text="FormatterService").get_by_role("link", name="minutes").click()
    expect(panel.locator("mark")).to_have_text("minutes")
    expect(panel.locator("li", has=page.locator("mark"))).to_have_text("minutes: int")  # and float since
    page.get_by_role("link", name="The negotiation at this moment").click()
    expect(panel).to_contain_text("as it stood after fact 1")
    page.reload()
    expect(page.locator(".picture .then")).to_contain_text("after fact 1 of")
    page.get_by_role("link", name="Today", exact=True).click()
    expect(page.locator(".picture .then")).to_have_count(0)


def test_a_proposal_in_the_past_is_told_as_it_stood(page: Page, built: Built) -> None:
    """Before its commit it is not committed, and cannot be taken back."""
    served, _, negotiation, facts = built
    tabled = next(fact["seq"] for fact in facts if fact["kind"] == "evaluation_opened")
    opened(page, served, f"negotiation/{negotiation}?at={tabled}")
    panel = page.get_by_role("complementary")
    panel.locator(".list a").first.click()
    expect(panel).to_contain_text(f"as it stood after fact {tabled} of {len(facts)}")
    expect(panel).to_contain_text("Nobody has answered yet.")
    expect(panel.get_by_role("button", name="Undo")).to_have_count(0)
    page.get_by_label("Replay: facts shown").fill(str(len(facts)))
    expect(panel).to_contain_text("committed; ")
    page.get_by_label("Replay: facts shown").fill("2")
    expect(panel).to_contain_text("it was not proposed yet")
    page.get_by_label("Replay: facts shown").fill(str(len(facts)))
    panel.get_by_role("link", name="as it was put to the others").click()  # nobody has to look for the fact
    expect(panel).to_contain_text(f"as it stood after fact {tabled} of {len(facts)}")
    expect(panel.get_by_role("link", name="as it was put to the others")).to_have_count(0)


def test_the_last_fact_shows_the_end_and_not_today(page: Page, built: Built) -> None:
    """After a later change of the sources the end of the negotiation still has its names, and says that it is the past;
    what ended is not followed live."""
    served, _, negotiation, facts = built
    opened(page, served, f"negotiation/{negotiation}")
    sends = page.locator(".node", has_text="CleanerService").locator(".out")
    expect(sends.filter(has_text="articles")).to_be_visible()
    expect(page.locator(".picture .then")).to_have_count(0)  # it is so today
    cleaner = served.folder / "agents" / "cleaner.py"
    cleaner.write_text(cleaner.read_text().replace("articles", "stories"))
    expect(page.locator(".picture .then")).to_contain_text("when this negotiation ended", timeout=30_000)
    expect(sends.filter(has_text="articles")).to_be_visible()
    show(page, negotiation, len(facts))
    expect(sends.filter(has_text="articles")).to_be_visible()
    expect(sends.filter(has_text="stories")).to_have_count(0)
    expect(page.get_by_text("Follow live")).to_have_count(0)
    page.get_by_role("link", name="Today", exact=True).click()
    expect(sends.filter(has_text="stories")).to_be_visible()


def test_controls_stand_still_and_the_panel_says_the_same(page: Page, built: Built) -> None:
    """At each fact every control is where it was; the panel never says that nothing was proposed where the axis has
    proposals; the axis says when it ends."""
    served, _, negotiation, facts = built
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, served, f"negotiation/{negotiation}?at=1")
    expect(page.get_by_text(re.compile(r"^1 of \d+ facts"))).to_be_visible()
    stood = page.evaluate(PLACES)
    assert {"Play", "range", "One fact back", "One fact on", "Fork here"} <= stood.keys()
    for fact in facts[1:]:
        page.get_by_role("button", name="One fact on").click()
        expect(page.get_by_text(re.compile(rf"^{fact['seq']} of \d+ facts"))).to_be_visible()
        assert page.evaluate(PLACES) == stood, fact
        if fact["kind"] == "proposals_made" and fact["data"]["proposals"]:
            expect(page.locator(".fact")).to_contain_text(f"{fact['data']['agent']} has 1 proposal")
            expect(page.get_by_role("complementary")).to_contain_text("that the others are not asked about yet")
        end = page.locator(".ruler .end")
        assert re.fullmatch(r"\d\d:\d\d:\d\d", end.inner_text())
    expect(page.locator(".filters")).to_have_count(0)  # two proposals are seen without them


def test_at_twice_the_size_picture_and_controls_are_in_sight_together(page: Page, built: Built) -> None:
    """On 640 x 360 as well, and the controls stay while the panel is read."""
    served, _, negotiation, _ = built
    page.set_viewport_size({"width": 640, "height": 360})
    opened(page, served, f"negotiation/{negotiation}?at=4")
    expect(page.locator(".picture .then")).to_be_visible()
    for name in ("One fact back", "One fact on", "Play"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator(".picture")).to_be_in_viewport(ratio=1)
    assert page.evaluate(GAP) >= 0
    page.mouse.wheel(0, 400)
    expect(page.get_by_role("button", name="One fact on")).to_be_in_viewport(ratio=1)


def test_the_axis_is_open_where_time_is_the_subject(page: Page, built: Built) -> None:
    """After a build it is folded on the other pages, and opens there for who wants it."""
    served, _, negotiation, _ = built
    opened(page, served)
    for place in ("", "inbox", "project", "node/CleanerService", "negotiations"):
        page.evaluate(f"location.hash = '#/{place}'")
        expect(page.get_by_role("button", name="Show the time axis")).to_be_visible()
    page.evaluate(f"location.hash = '#/negotiation/{negotiation}'")
    expect(page.locator(".axis .lanes")).to_be_visible()
    page.evaluate("location.hash = '#/'")
    page.get_by_role("button", name="Show the time axis").click()
    expect(page.locator(".axis .lanes")).to_be_visible()


def test_a_click_in_a_lane_shows_its_fact(page: Page, built: Built) -> None:
    """What stands nearest to the pointer in a lane is the fact that is shown then."""
    served, _, negotiation, facts = built
    first, *_, last = (fact["seq"] for fact in facts if fact["kind"] == "proposal_committed")
    opened(page, served)
    show(page, negotiation, 1)
    lane = page.locator(".lane", has=page.get_by_text("commits", exact=True)).locator("svg")
    box = lane.bounding_box()
    assert box
    lane.click(position={"x": box["width"] - 2, "y": 10})
    expect(page.get_by_text(re.compile(rf"^{last} of \d+ facts"))).to_be_visible()
    lane.click(position={"x": 2, "y": 10})
    expect(page.get_by_text(re.compile(rf"^{first} of \d+ facts"))).to_be_visible()
