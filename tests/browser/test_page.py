"""The page, walked through as a person would: see, build, approve, replay, run; with a reload in the middle of each."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.serving import Served

Serve = Callable[[str], Served]
pytestmark = pytest.mark.timeout(180)


def opened(page: Page, served: Served, view: str = "graph") -> None:
    """Open the address that was printed, then one view."""
    page.goto(f"{served.url}/#token={served.token}")
    expect(page.locator("#state")).to_have_text("live")
    page.evaluate(f"location.hash = '#/{view}'")


def test_from_a_mismatch_to_a_running_pipeline(page: Page, serve: Serve) -> None:
    """See why it does not fit, build, approve each commit with its diff, replay, start, call."""
    served = serve("news_pipeline")
    opened(page, served)
    expect(page.get_by_role("heading", name="2 links do not fit")).to_be_visible()
    expect(page.get_by_text("items is required by the consumer", exact=False).first).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="2 links do not fit")).to_be_visible()

    page.get_by_role("button", name="Build").click()
    approved = 0
    while approved < 10:
        page.evaluate("location.hash = '#/asked'")
        ask = page.get_by_role("button", name="Approve").first
        question = page.get_by_role("button", name="Answer").first  # a pairing that the rules would only guess
        done = page.get_by_role("heading", name="Nobody is waiting for you")
        expect(ask.or_(question).or_(done).first).to_be_visible()
        if question.is_visible():
            question.click()
            page.wait_for_timeout(150)
            continue
        if not ask.is_visible():
            if served.client().builds()["builds"][0]["state"] != "running":
                break
            page.wait_for_timeout(200)
            continue
        expect(page.get_by_label("Diff").first).to_contain_text("@@")
        if approved == 0:
            page.reload()
            expect(page.get_by_role("button", name="Approve").first).to_be_visible()
        page.get_by_role("button", name="Approve").first.click()
        approved += 1
        page.wait_for_timeout(150)
    assert approved >= 2

    page.evaluate("location.hash = '#/negotiation'")
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(page.locator("article.committed").first).to_be_visible()
    page.locator("article.committed summary").first.click()
    expect(page.locator("article.committed").first.get_by_label("Diff")).to_contain_text("+")
    slider = page.get_by_label("Replay: facts shown")
    slider.evaluate("s => { s.value = 2; s.dispatchEvent(new Event('input')); }")
    expect(page.locator("article.committed")).to_have_count(0)
    page.get_by_role("button", name="Follow live").click()
    expect(page.locator("article.committed").first).to_be_visible()
    page.reload()
    expect(page.locator("article.committed").first).to_be_visible()

    page.evaluate("location.hash = '#/graph'")
    expect(page.get_by_role("heading", name="Every link fits")).to_be_visible()


def test_run_call_publish_and_see(page: Page, serve: Serve) -> None:
    """Start the runtime, call a node with the form made from its schema, publish, and see the event arrive."""
    served = serve("hello")
    opened(page, served, "runtime")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.get_by_label("Topic").fill("/Hello/Greeted")
    page.get_by_label("Payload (JSON)").fill('{"message": "from the page"}')
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_label("Events", exact=True)).to_contain_text("from the page")
    page.reload()
    expect(page.get_by_label("Events", exact=True)).to_contain_text("from the page")

    page.evaluate("location.hash = '#/node/Greeter'")
    expect(page.get_by_role("heading", name="Greeter.greet")).to_be_visible()
    card = page.locator(".card").filter(has=page.get_by_role("heading", name="Greeter.greet"))
    page.reload()
    card.get_by_label("name").fill("Ann")
    card.get_by_role("button", name="Call greet").click()
    expect(card.get_by_label("Result")).to_contain_text("Hello, Ann!")
    page.evaluate("location.hash = '#/runtime'")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Start")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["graph", "node/CleanerService", "negotiation", "asked", "runtime"])
def test_readable_for_everybody(page: Page, serve: Serve, view: str, scheme: str) -> None:
    """No serious finding of axe in any view, light or dark, and nothing wider than a phone of 390 px."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    served = serve("news_pipeline")
    opened(page, served, view)
    page.wait_for_timeout(600)
    found = Axe().run(page).response["violations"]
    serious = [v for v in found if v["impact"] in ("serious", "critical")]
    assert [(v["id"], [n["html"][:200] for n in v["nodes"][:2]]) for v in serious] == []
    page.set_viewport_size({"width": 390, "height": 780})
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_wrong_token_is_said(page: Page, serve: Serve) -> None:
    """Without the token the page says what to do."""
    served = serve("hello")
    page.goto(f"{served.url}/")
    expect(page.get_by_role("heading", name="The token is missing")).to_be_visible()
