"""Sealed questions in the page: three people answer the mediator's questions in forms, and read what was decided."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_page import opened
from tests.browser.test_seat_links import DECISION, LIKES
from tests.serving import V1, Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)


def answer(card: Locator, name: str) -> str:
    """Answer one question as this person would; the kind of its form."""
    likes = LIKES[name]

    def worth(said: str) -> int:
        return sum(value for word, value in likes.items() if word in said.split(" instead of ")[0])

    grades = card.locator(".scale")
    if count := grades.count():
        said = [grades.nth(i).locator("legend").inner_text() for i in range(count)]
        worths = [worth(one) for one in said]
        low, high = min(worths), max(worths)
        for i, one in enumerate(worths):
            grades.nth(i).get_by_role("radio").nth(round(10 * (one - low) / ((high - low) or 1))).check()
        card.get_by_role("button", name="Answer").click()
        return "grades"
    if card.locator("textarea").count():
        card.locator("textarea").fill("No Oslo" if name == "Ann" else "")
        card.get_by_role("button", name="Answer").click()
        return "lines"
    if card.locator('input[type="number"]').count():
        card.locator('input[type="number"]').fill("30")
        card.get_by_role("button", name="Answer").click()
        return "share"
    if card.get_by_role("button", name="Consent", exact=True).count():
        if name == "Cem":
            card.get_by_role("button", name="Stand aside …").click()
            card.get_by_role("button", name="Stand aside", exact=True).click()
            return "stand aside"
        card.get_by_role("button", name="Consent", exact=True).click()
        return "consent"
    if card.get_by_role("button", name="Answer").count():  # an order, as it stands
        card.get_by_role("button", name="Answer").click()
        return "order"
    card.locator("button.primary").first.click()
    return "choice"


def test_three_people_answer_sealed_questions(page: Page, serve: Serve) -> None:
    """Red lines, a minimum, grades, consent: each behind a link of its own, in a form; nothing is written as JSON; the
    operator sees who is asked, and nothing of what."""
    served = serve("hello")
    operator = V1(served)
    body = {"scenario": f"{DECISION}stand_aside: true\n", "humans": list(LIKES), "preferences": "sealed"}
    begun = operator("POST", "/consents", body)
    consent = begun["id"]
    browser = page.context.browser
    assert browser is not None
    seats = {one["name"]: browser.new_context().new_page() for one in begun["seats"]}
    for one in begun["seats"]:
        seats[one["name"]].goto(f"{served.url}/#seat={one['key']}")
    opened(page, served, f"consent/{consent}")
    kinds = set()
    end = time.monotonic() + 330  # the mediator thinks between questions, and longer on a busy machine
    while time.monotonic() < end:
        asked = {
            name: seat.locator("article.question")
            for name, seat in seats.items()
            if seat.locator("article.question").count()
        }
        if not asked:
            page.wait_for_timeout(200)
            if operator("GET", f"/consents/{consent}")["state"] != "running":
                break
            continue
        assert operator("GET", "/questions")["items"] == []
        for name, card in asked.items():
            question = card.get_attribute("data-question")
            this = seats[name].locator(f'article[data-question="{question}"]')
            assert "(JSON)" not in this.inner_text()
            kinds.add(answer(this, name))
            expect(this).to_have_count(0)
    assert {"lines", "share", "grades", "consent", "stand aside"} <= kinds, operator("GET", f"/consents/{consent}")
    for seat in (page, *seats.values()):
        expect(seat.get_by_role("heading", name="Agreed")).to_be_visible()
        expect(seat.locator("aside")).not_to_contain_text("place: Oslo")  # Ann's red line
