"""What is said on the picture of a few components: ports by their names, and marks of links that hide none of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_layout import arranged
from tests.browser.test_page import opened
from tests.serving import Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)
HIDDEN = """() => {
  const all = (query) => [...document.querySelectorAll(query)];
  const boxes = (query) => all(query).map((one) => [one.textContent, one.getBoundingClientRect()]);
  const names = boxes(".node .ports a, .node .title, .node .method");
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const under = ([said, chip]) => names.filter(([, name]) => meet(chip, name)).map(([name]) => `${said} on ${name}`);
  return boxes(".chip").flatMap(under);
}"""


def five(folder: Path) -> Path:
    """A chain of five components; each link but one lacks a field that the next requires."""
    (folder / "agents").mkdir(parents=True)
    lines = ["from graphbus_core import GraphBusNode, depends_on, schema_method"]
    for at, part in enumerate(("Intake", "Checker", "Ledger", "Notifier", "Archive")):
        before = ("Intake", "Checker", "Ledger", "Notifier")[at - 1]
        needs = f'    @depends_on("{before}.work")\n' if at else ""
        lines.append(
            f"\n\nclass {part}(GraphBusNode):\n{needs}"
            f'    @schema_method(input_schema={{"amount": float, "reason_{at}": str}}, '
            f'output_schema={{"amount": float, "customer": str}})\n'
            f'    def work(self, amount, reason_{at}):\n        return {{"amount": 1.0, "customer": ""}}'
        )
    (folder / "agents" / "all.py").write_text("\n".join(lines) + "\n")
    return folder


def test_five_components_show_their_ports_and_no_mark_hides_one(page: Page, serve: Serve, tmp_path: Path) -> None:
    """At 1280 x 720, with all of it in sight: names of ports, and on each link the field that it fails by."""
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, serve(five(tmp_path / "five")))
    arranged(page)
    expect(page.locator(".node")).to_have_count(5)
    for number in range(5):
        expect(page.get_by_role("article").get_by_text(f"reason_{number}", exact=True)).to_be_in_viewport(ratio=1)
    chips = page.locator(".chip")
    assert sorted(chip.inner_text() for chip in chips.all()) == [f"✗ no reason_{number}" for number in range(1, 5)]
    assert page.evaluate(HIDDEN) == []
