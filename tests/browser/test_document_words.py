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
    expect(inspector).to_contain_text("Accepted by ben. It is agreed once cem accepts the same words, too.")
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
