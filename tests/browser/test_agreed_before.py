"""A question shows its change on top of what was approved just before; the end leads to what became of all of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.serving import Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)


def test_the_next_diff_has_what_was_approved_before(page: Page, serve: Serve) -> None:
    """minutes was approved as float: the diff for edition, of the same method and round, has it so, and says why. The
    change that was overtaken leads to where it was proposed again."""
    served = serve("news_pipeline")
    opened(page, served)
    page.get_by_role("button", name="Build", exact=True).click()
    asks = ["feed_title", "items", "minutes", "edition"]
    for about in asks:
        question = page.locator("article.question:visible", has=page.locator(".lead", has_text=about))
        expect(question).to_be_visible(timeout=120_000)
        if about == "edition":
            expect(question).to_contain_text("On top of what you approved in this round:")
            changed = question.get_by_label("Diff").locator("span", has_text='"edition":')
            expect(changed).to_have_count(2)
            for line in changed.all():
                expect(line).to_contain_text('"minutes": float')
        page.locator(".split button.primary:enabled:visible").click(timeout=120_000)
    expect(page.get_by_role("heading", name="The build is done, and every link fits")).to_be_visible(timeout=200_000)
    page.get_by_role("link", name="What was proposed, and what became of each").click()
    overtaken = page.locator(".outcome.superseded")
    expect(overtaken).to_contain_text("overtaken by another change")
    expect(overtaken).to_contain_text("It was proposed again in round 3")
    overtaken.get_by_role("link", name="committed").click()
    expect(page.get_by_role("complementary")).to_contain_text("You: accept")
