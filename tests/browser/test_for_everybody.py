"""For everybody: no finding of axe of any weight in any state, light and dark, on a screen and on a phone of 390 px."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.states import State, approving, evaluating, settle, show, states
from tests.browser.test_page import opened
from tests.serving import Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(540)


FIND = """async (options) => (await axe.run(document, {resultTypes: ["violations"], ...options})).violations
  .map((found) => [found.id, found.nodes.slice(0, 2).map((one) => one.html.slice(0, 160))])"""
# Dark differs from light by its colours alone (`style.css`): there, the rules about colours are asked.
SCHEMES: tuple[tuple[Literal["light", "dark"], dict[str, Any]], ...] = (
    ("light", {}),
    ("dark", {"runOnly": ["cat.color"]}),
)


def looked_at(page: Page, state: State, findings: list[Any]) -> None:
    """One state in both widths, light and dark."""
    show(page, state)
    if page.evaluate("typeof axe") == "undefined":  # one that is there stays until the page is loaded anew
        page.evaluate(AXE_SCRIPT)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 820})
        for scheme, options in SCHEMES:
            page.emulate_media(reduced_motion="reduce", color_scheme=scheme)
            settle(page)
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                findings.append((state.name, scheme, width, "too wide", wide))
            findings += [(state.name, scheme, width, *found) for found in page.evaluate(FIND, options)]


def test_no_finding_in_any_state(page: Page, serve: Serve) -> None:
    page.emulate_media(reduced_motion="reduce")
    served = serve("news_pipeline")
    first = states(served)
    opened(page, served)
    findings: list[Any] = []
    for state in first:
        looked_at(page, state, findings)
    for later in (evaluating, approving):
        for state in later(served):
            looked_at(page, state, findings)
    looked_at(page, State("palette", "", lambda page: page.keyboard.press("Control+k")), findings)
    assert findings == []


def test_the_canvas_has_contrast(page: Page, serve: Serve) -> None:
    """What is drawn on the canvas, too: each colour against what it stands on, 4.5 for text and 3 for lines."""
    opened(page, serve("hello"))
    wrong = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        rgb = page.evaluate(
            """() => Object.fromEntries(["bg", "card", "band", "ink", "soft", "good", "bad", "warn", "wait", "accent"]
              .map((name) => {
                const one = document.createElement("i");
                one.style.color = `var(--${name})`;
                document.body.append(one);
                const found = getComputedStyle(one).color.match(/[0-9.]+/g).slice(0, 3).map(Number);
                one.remove();
                return [name, found];
              }))"""
        )

        def light(name: str, rgb: dict[str, list[float]] = rgb) -> float:
            parts = [v / 255 for v in rgb[name]]
            parts = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

        for front in ("ink", "soft", "good", "bad", "warn", "wait", "accent"):
            for back in ("bg", "card", "band"):
                low, high = sorted((light(front), light(back)))
                if (ratio := (high + 0.05) / (low + 0.05)) < 4.5:
                    wrong.append((scheme, front, back, round(ratio, 2)))
    assert wrong == []
