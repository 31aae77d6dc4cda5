"""A letter's payload is mended beside its retry, an impossible name is told, and an empty topic is asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.serving import V1, Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)


def test_a_payload_is_mended_before_the_retry(page: Page, serve: Serve) -> None:
    """The only letter lies open. What was typed stays where the retry fails; the letter names what was changed."""
    served = serve("orders")
    ask = V1(served)
    ask("POST", "/runtime/start", {})
    opened(page, served, "runtime")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Give a topic, such as /Order/Placed.")).to_be_visible()
    event = ask("POST", "/events", {"topic": "/Order/Placed", "payload": {"skuu": "apple"}})["event_id"]
    letters = page.get_by_label("Dead letters")
    payload = letters.get_by_role("textbox")
    expect(payload).to_have_value('{\n  "skuu": "apple"\n}')
    payload.fill('{"sku2": "apple"}')
    letters.get_by_role("button", name="Retry with this payload").click()
    expect(letters).to_contain_text("(with other values of sku2, skuu)")
    expect(payload).to_have_value('{"sku2": "apple"}')
    payload.fill('{"sku": "apple"}')
    letters.get_by_role("button", name="Retry with this payload").click()
    expect(page.get_by_text("Tried again: it was taken.")).to_be_visible()
    expect(letters).to_have_count(0)
    page.evaluate(f"location.hash = '#/event/{event}'")
    rows = page.get_by_label("Trace").locator("li > span:first-child")
    expect(rows.filter(has_text="tried again with")).not_to_have_count(0)
    expect(page.locator("aside")).to_contain_text("took it, with another payload than the one of its event")
    expect(rows.filter(has_text="call Stock.take")).to_have_attribute("style", "padding-left: 24px;")
    said = "with another payload than the one of its event: sku was added; skuu was changed or left out."
    expect(page.locator("aside")).to_contain_text(said)
    rows.get_by_role("link", name="/Order/Done").click()
    expect(page.get_by_role("heading", name="/Order/Done")).to_be_visible()
    expect(page.locator("aside")).to_contain_text(said)  # of the same retry, wherever it is told


def test_a_name_that_no_parameter_can_have_is_told_and_stays(page: Page, serve: Serve) -> None:
    """What is wrong with it, what to do, and the field as it was typed."""
    served = serve("news_pipeline")
    opened(page, served, "link/FetcherService.fetch_headlines%20%3D%3E%20CleanerService.clean")
    name = page.get_by_label("Rename it to")
    name.press_sequentially("class")
    expect(page.locator(".trial .bad").first).to_contain_text("class is a word of Python itself")
    expect(page.locator(".trial")).to_contain_text("choose another name")
    expect(page.locator(".trial dt", has_text="Mends")).to_have_count(0)
    expect(name).to_have_value("class")
