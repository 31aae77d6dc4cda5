"""Links that do not fit, and links of which that could not be decided: marked, counted and named apart, everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_layout import arranged
from tests.browser.test_page import opened
from tests.serving import UNSURE, Served, until

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)
BOTH = "1 link does not fit, 1 link is undecided"


@pytest.fixture
def unsure(serve: Serve, tmp_path: Path) -> Served:
    """A project with one link that does not fit, and one that is undecided."""
    (tmp_path / "unsure" / "agents").mkdir(parents=True)
    (tmp_path / "unsure" / "agents" / "all.py").write_text(UNSURE)
    return serve(tmp_path / "unsure")


def test_what_is_undecided_is_named_apart(page: Page, unsure: Served) -> None:
    """At the beginning, before a build, before a start, and after a build."""
    opened(page, unsure)
    expect(page.get_by_role("heading", name=BOTH)).to_be_visible()
    expect(page.get_by_text("Undecided: a text of 9000002 characters")).to_be_visible()
    for place in ("start", "runtime"):
        page.evaluate(f"location.hash = '#/{place}'")
        expect(page.get_by_label("What does not fit").first).to_contain_text(BOTH)
    with unsure.client() as client:
        client.start_build(enable_agents=True, model="rules", rounds=1)
        until(lambda: client.builds()["builds"][0]["state"] != "running", 120)
    page.evaluate("location.hash = '#/inbox'")
    expect(page.get_by_role("heading", name=f"The build is done; {BOTH}")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Mend Giver.give")).to_contain_text("undecided: a text")


def test_a_mark_from_afar_says_what_it_means(page: Page, unsure: Served) -> None:
    """In a legend, to whoever rests on it, to the keyboard, and to a screen reader."""
    opened(page, unsure)
    arranged(page)
    expect(page.locator(".legend")).to_have_count(0)  # near by each says it itself
    for _ in range(4):
        page.get_by_role("button", name="Zoom out").click()
    broken, undecided = page.locator(".chip.far.broken"), page.locator(".chip.far.undecided")
    expect(broken).to_have_text("✗ no owed", use_inner_text=False)
    assert broken.inner_text().strip() == "✗"
    legend = page.locator(".legend")
    expect(legend).to_contain_text("✗ 1 link does not fit")
    expect(legend).to_contain_text("? 1 link is undecided")
    expect(page.get_by_role("button", name="Does not fit: Taker.take => Till.close")).to_have_count(1)
    expect(page.get_by_role("button", name="Undecided: Giver.give => Taker.take. a text of")).to_have_count(1)
    broken.hover()
    assert broken.inner_text() == "✗ no owed"
    page.mouse.move(0, 0)
    undecided.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")  # so that the focus is one of the keyboard's
    assert undecided.inner_text().startswith("? row")
