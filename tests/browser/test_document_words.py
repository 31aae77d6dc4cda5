"""What people at a document table are told: in their own words, while it holds; and its end is in sight."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.browser.test_tasks import V1
from tests.serving import Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(240)
LONG = "".join(f"Line {number} of a long text.\n" for number in range(80))


def test_who_accepted_is_told_while_it_holds(page: Page, serve: Serve) -> None:
    """Of three, one offers and one accepts. The third is told so without a word of the files, and no longer after."""
    served = serve("hello")
    operator = V1(served)
    texts = [{"name": name, "text": f"# Logs\nKeep logs {days} days.\n{LONG}"} for name, days in (("a", 3), ("b", 5))]
    operator("POST", "/documents", {"name": "logs", "topic": "How long", "sources": texts, "agents": 3})
    for name in ("ann", "ben", "cem"):
        operator("POST", "/documents/logs/seats", {"agent": name})
    point = {
        "agent": "ann",
        "issues": [{"title": "Days", "question": "How many?"}],
        "offers": [{"issue": "Days", "text": "Logs are kept 4 days."}],
    }
    operator("POST", "/documents/logs/turns", point)
    issue = operator("GET", "/documents/logs")["issues"][0]
    accepts = [{"issue": issue["stem"], "hash": issue["entries"][-1]["hash"]}]
    operator("POST", "/documents/logs/turns", {"agent": "ben", "accepts": accepts})
    assert [one["by"] for one in operator("GET", "/documents/logs")["issues"][0]["entries"]] == ["ann", "moderator"]

    opened(page, served, "document/logs")
    inspector = page.locator("aside")
    expect(page.get_by_role("heading", name="Your turn as cem")).to_be_visible()
    expect(inspector).to_contain_text("accepted by ben")
    expect(inspector).to_contain_text("It is agreed once cem accepts the same words, too.")
    expect(inspector).not_to_contain_text("ACCEPTS")
    expect(inspector).not_to_contain_text("moderator")
    page.get_by_role("button", name="Accept it, and hand over").click()
    expect(page.get_by_text("Nobody has accepted it yet; next is ann, then ben, cem.")).to_be_visible()
    expect(inspector).not_to_contain_text("It is agreed once")
    for _ in range(3):
        turn = page.get_by_role("status").filter(has_text="It is the turn of").inner_text()
        page.get_by_role("button", name="Accept this text").click()
        expect(page.get_by_text(turn, exact=True)).to_have_count(0)
    expect(page.get_by_text("The final document stands.")).to_be_in_viewport()
    expect(inspector).not_to_contain_text("ACCEPTS")


def test_two_offers_are_told_apart(page: Page, serve: Serve) -> None:
    """Where two offers stand nothing is accepted unasked; a point is not called after an offer that was not agreed."""
    served = serve("hello")
    operator = V1(served)
    texts = [
        {"name": name, "text": f"# Plan\n\nWe release on {day}.\n"} for name, day in (("a", "Monday"), ("b", "Friday"))
    ]
    operator("POST", "/documents", {"name": "plan", "topic": "Plan", "sources": texts, "agents": 3})
    for name in ("ann", "ben", "cem"):
        operator("POST", "/documents/plan/seats", {"agent": name})
    asked = "In place of:\n\n- We release on Monday.\n- We release on Friday."
    point = {"title": "We release on Monday", "question": asked}
    offer = {"issue": "We release on Monday", "text": "We release on Monday."}
    operator("POST", "/documents/plan/turns", {"agent": "ann", "issues": [point], "offers": [offer]})
    stem = operator("GET", "/documents/plan")["issues"][0]["stem"]
    offer = {"issue": stem, "text": "We release on Thursday."}
    operator("POST", "/documents/plan/turns", {"agent": "ben", "offers": [offer]})

    opened(page, served, "document/plan")
    expect(page.get_by_role("heading", name="Your turn as cem")).to_be_visible()
    expect(page.get_by_role("heading", name="We release on …")).to_be_visible()
    assert page.locator("s").all_inner_texts() == ["We release on Friday."]  # the other one is still on offer
    expect(page.get_by_text("Different words stand on “We release on …”")).to_be_visible()
    expect(page.get_by_role("button", name="Accept it, and hand over")).to_have_count(0)
    page.get_by_role("button", name="Accept ben's words").click()
    expect(page.get_by_text("in the words of ben")).to_be_visible()
    page.get_by_role("button", name="Accept it, and hand over").click()
    expect(page.get_by_role("heading", name="Your turn as ann")).to_be_visible()
    offers = page.locator(".issue p.text")
    expect(offers.filter(has_text="We release on Thursday.")).to_contain_text("accepted by cem")
    expect(page.locator("aside").get_by_text("accepted by", exact=False)).to_have_count(
        1
    )  # and not under the other offer
    issue = operator("GET", "/documents/plan")["issues"][0]
    accepts = [{"issue": stem, "hash": issue["entries"][1]["hash"]}]
    operator("POST", "/documents/plan/turns", {"agent": "ann", "accepts": accepts})
    expect(page.get_by_role("heading", name="The document to accept")).to_be_visible()
    expect(page.get_by_text("Nobody has accepted it yet; next is ben, then cem, ann.")).to_be_visible()
    expect(page.locator("aside").get_by_role("heading", name="We release on Monday")).to_have_count(0)


def test_both_lines_may_stay(page: Page, serve: Serve) -> None:
    """Nothing is chosen before somebody chooses; who wants both lines says so with one tick each, in a list, too."""
    served = serve("hello")
    operator = V1(served)
    text = "# Plan\n\nWe release on {day}.\n\n- tests first\n- bring {cups} cups\n"
    texts = [
        {"name": name, "text": text.format(day=day, cups=cups)}
        for name, day, cups in (("a", "Monday", 3), ("b", "Friday", 5))
    ]
    operator("POST", "/documents", {"name": "plan", "topic": "Plan", "sources": texts, "agents": 2})
    for name in ("ann", "ben"):
        operator("POST", "/documents/plan/seats", {"agent": name})
    opened(page, served, "document/plan")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    page.get_by_role("button", name="Hand the turn over").scroll_into_view_if_needed()
    before = page.get_by_role("button", name="Hand the turn over").bounding_box()
    page.get_by_role("button", name="Hand the turn over").click()
    expect(page.get_by_text("Say something first")).to_be_visible()
    for word in ("auto", "none"):  # what the page says lies over it: nothing moves when it comes, or when it goes
        page.locator("#toast").evaluate(f"(toast) => (toast.style.display = '{word}' === 'none' ? 'none' : '')")
        assert page.get_by_role("button", name="Hand the turn over").bounding_box() == before
    page.locator("#toast").evaluate("(toast) => (toast.style.display = '')")
    for number in (1, 2):
        page.get_by_role("radiogroup", name=f"Difference {number}").get_by_label("both stay").check()
    page.get_by_role("button", name="Hand the turn over").click()
    page.get_by_role("button", name="Accept all of it, and hand over").click()
    whole = "# Plan\n\nWe release on Monday.\nWe release on Friday.\n\n- tests first\n- bring 3 cups\n- bring 5 cups\n"
    expect(page.get_by_label("Final document")).to_have_text(whole)
    expect(page.get_by_text("Say something first")).to_have_count(0)
