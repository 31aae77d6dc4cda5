"""Sealed questions in the page: three people answer the mediator's questions in forms, and read what was decided."""

from __future__ import annotations

import time
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_page import opened
from tests.browser.test_seat_links import DECISION, LIKES
from tests.serving import Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)


def answer(card: Locator, name: str) -> str:
    """Answer one question as this person would; the kind of its form."""
    likes = LIKES[name]

    def worth(said: str) -> int:
        return sum(value for word, value in likes.items() if word in said.split(" instead of ")[0])

    grades = card.locator("label.grade")
    if count := grades.count():
        said = [grades.nth(i).locator("span").inner_text() for i in range(count)]
        worths = [worth(one) for one in said]
        low, high = min(worths), max(worths)
        for i, one in enumerate(worths):
            grades.nth(i).locator("input").fill(str(round(10 * (one - low) / ((high - low) or 1))))
        card.get_by_role("button", name="Answer").click()
        return "grades"
    if card.locator("textarea").count():
        card.locator("textarea").fill("No Oslo" if name == "Ann" else "")
        card.get_by_role("button", name="Answer").click()
        return "lines"
    if card.locator('input[type="range"]').count():
        card.locator('input[type="range"]').fill("30")
        card.get_by_role("button", name="Answer").click()
        return "share"
    if card.get_by_role("button", name="Consent", exact=True).count():
        if name == "Cem":
            card.get_by_role("button", name="Stand aside").click()
            return "stand aside"
        card.get_by_role("button", name="Consent", exact=True).click()
        return "consent"
    if card.get_by_role("button", name="Answer").count():  # an order, as it stands
        card.get_by_role("button", name="Answer").click()
        return "order"
    card.locator("button.primary").first.click()
    return "choice"


def test_three_people_answer_sealed_questions(page: Page, serve: Serve) -> None:
    """Red lines, a minimum, grades, consent: each in its own form; nothing is written as JSON; the end is told."""
    served = serve("hello")
    headers = {"Authorization": f"Bearer {served.token}"}
    body = {"scenario": f"{DECISION}stand_aside: true\n", "humans": list(LIKES), "preferences": "sealed"}
    made = httpx.post(f"{served.url}/api/v1/consents", headers=headers, json=body, timeout=60)
    consent = made.raise_for_status().json()["id"]
    opened(page, served, "inbox")
    kinds = set()
    end = time.monotonic() + 240  # the mediator thinks between questions, and longer on a busy machine
    while time.monotonic() < end:
        card = page.locator("article.question").first
        page.wait_for_timeout(150)
        if not card.count():
            told = httpx.get(f"{served.url}/api/v1/consents/{consent}", headers=headers, timeout=60).json()
            if told["state"] != "running":
                break
            continue
        asked = card.get_attribute("data-question") or ""
        this = page.locator(f'article[data-question="{asked}"]')
        assert "(JSON)" not in this.inner_text()
        kinds.add(answer(this, asked.rsplit(":", 1)[1]))
        expect(this).to_have_count(0)
    assert {"lines", "share", "grades", "consent", "stand aside"} <= kinds
    page.evaluate(f"location.hash = '#/consent/{consent}'")
    expect(page.get_by_role("heading", name="Agreed")).to_be_visible()
    expect(page.locator("aside")).not_to_contain_text("place: Oslo")  # Ann's red line
