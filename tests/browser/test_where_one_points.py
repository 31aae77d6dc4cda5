"""What one points at stays where it is, and does what it seems to say: on a phone, in the runtime, in a long form."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_layout import arranged
from tests.browser.test_page import opened
from tests.browser.test_short_ways import WORDS
from tests.serving import V1, Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(240)
PLACES = "() => [...document.querySelectorAll('.chip')].map((one) => JSON.stringify(one.getBoundingClientRect()))"


def test_a_phone_shows_one_arrangement(page: Page, serve: Serve) -> None:
    """Nothing can be touched before the cards stand where they stay; afterwards no mark moves."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.add_init_script(
        "new MutationObserver(() => { const chip = document.querySelector('.chip');"
        " if (chip && chip.checkVisibility({visibilityProperty: true})) (window.seen ??= []).push(chip.style.cssText);"
        "}).observe(document, {childList: true, subtree: true, attributes: true})"
    )
    opened(page, serve("news_pipeline"))
    expect(page.locator(".chip").first).to_be_visible()
    places = page.evaluate(PLACES)
    assert len(places) == 2
    page.wait_for_timeout(3000)
    assert page.evaluate(PLACES) == places
    assert len(set(page.evaluate("window.seen"))) == 1  # and no other place was ever in sight


def test_a_call_without_data_is_drawn(page: Page, serve: Serve) -> None:
    """The shop calls the stock, and no contract follows data from one to the other: there is a line all the same."""
    served = serve("orders")
    opened(page, served)
    cards = {one["name"]: one for one in V1(served)("GET", "/picture")["components"]}
    assert {name: one["needs"] for name, one in cards.items()} == {"Shop": ["Stock"], "Stock": []}
    page.evaluate(
        "() => { const own = CanvasRenderingContext2D.prototype.setLineDash; window.dashes = [];"
        "CanvasRenderingContext2D.prototype.setLineDash = function (dash) { window.dashes.push(`${dash}`);"
        " return own.call(this, dash); } }"
    )
    arranged(page)
    page.get_by_role("button", name="Zoom in").click()
    page.wait_for_function("window.dashes.includes('2,5')")
    page.get_by_role("link", name="Shop", exact=True).first.click()
    expect(page.locator("#inspector").get_by_text("Calls Stock")).to_be_visible()


def test_a_line_and_a_card_open_what_they_are(page: Page, serve: Serve) -> None:
    """A click on a line opens its link, one on a method's name its component, one between them nothing."""
    opened(page, serve("news_pipeline"))
    arranged(page)
    cards = [page.locator("article.node", has_text=name) for name in ("CleanerService", "FormatterService")]
    left, right = (box for card in cards if (box := card.bounding_box()))
    stage, across = page.locator(".stage"), (left["x"] + left["width"] + right["x"]) / 2
    tops = [min(left["y"], right["y"]), max(left["y"] + left["height"], right["y"] + right["height"])]
    page.mouse.click(across, tops[1] + 40)
    assert "#/link" not in page.url
    for y in range(int(tops[0]), int(tops[1]), 3):
        page.mouse.move(across, y)
        if "line" in str(stage.get_attribute("class")).split():
            break
    page.mouse.down()
    page.mouse.up()
    expect(page).to_have_url(re.compile("#/link/CleanerService"))
    page.locator("article.node", has_text="FormatterService").locator(".method").first.click()
    expect(page).to_have_url(re.compile("#/node/FormatterService"))


def test_a_topic_in_the_picture_fills_the_form(page: Page, serve: Serve) -> None:
    """A click on what a component hears lays out an event to publish, as its contract has it."""
    served = serve("hello")
    with served.client() as client:
        client.start_runtime("off")
    opened(page, served, "runtime")
    page.locator("article.node .topic a", has_text="/Hello/Greeted").click()
    expect(page.get_by_label("Topic")).to_have_value("/Hello/Greeted")
    expect(page.get_by_label("Payload (JSON)")).to_have_value('{\n  "message": ""\n}')
    expect(page.get_by_role("button", name="Publish")).to_be_visible()


def test_a_ballot_says_that_it_goes_on_below(page: Page, serve: Serve) -> None:
    """At 1280 x 720 with the links above it: what is left of the form is said, and one press shows it."""
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, serve("hello"))
    form = page.get_by_role("region", name="Decide by consent")
    form.get_by_label("What is decided").fill(f"{WORDS}\nwho decides: Ann, Ben, Cem")
    form.get_by_role("button", name="Begin, and sit down as Ann").click()
    below = page.get_by_role("button", name="The form goes on below")
    expect(below).to_be_visible()
    field = page.get_by_label("Rather no deal")
    expect(field).not_to_be_in_viewport(ratio=1)
    while below.is_visible():
        below.click()
        page.wait_for_timeout(150)
    expect(field).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Hand in my ballot")).to_be_in_viewport(ratio=1)
