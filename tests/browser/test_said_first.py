"""What the page says before somebody acts on it: what does not fit, what was asked, and what failed again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.serving import Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)


def test_a_build_and_a_start_say_first_what_does_not_fit(page: Page, serve: Serve) -> None:
    """Both links are named beside the button, and the button says that one may go on; so does the palette."""
    served = serve("news_pipeline")
    opened(page, served, "start")
    form = page.get_by_label("Build", exact=True)
    said = page.get_by_label("What does not fit")
    expect(form.get_by_label("What does not fit")).to_contain_text("2 links do not fit. The agents look for a change")
    form.get_by_label("The agents negotiate first").uncheck()
    expect(said).to_contain_text("The build freezes it as it is")
    expect(said.get_by_role("link")).to_have_count(2)
    form.get_by_role("button", name="Build all the same").click()
    expect(page.get_by_text("run-1: done")).to_be_visible()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").fill("Start the runtime")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("a payload that does not fit is refused")
    expect(page.get_by_text("not running")).to_be_visible()
    page.get_by_role("button", name="Start all the same").click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
