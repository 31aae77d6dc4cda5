"""How much room the time axis takes: whole lanes, a fifth of the window, all of them where somebody pulls it open."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.serving import Served, declare_items, until

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)
SEEN = """() => {
  const box = document.querySelector(".lanes").getBoundingClientRect();
  const lanes = [...document.querySelectorAll(".lanes .lane")].map((one) => one.getBoundingClientRect());
  const inside = lanes.filter((one) => one.bottom > box.top + 0.5 && one.top < box.bottom - 0.5);
  return {
    lanes: lanes.length,
    inside: inside.length,
    cut: inside.filter((one) => one.top < box.top - 0.5 || one.bottom > box.bottom + 0.5).length,
    part: document.querySelector(".axis").getBoundingClientRect().height / innerHeight,
  };
}"""
STAMPS = """() => [...document.querySelectorAll(".ruler small")].map((one) => {
  const box = one.getBoundingClientRect();
  return [box.left, box.right];
})"""


def test_lanes_are_whole_within_a_fifth_and_all_there_when_pulled_open(page: Page, serve: Serve) -> None:
    """At each size no lane is cut, at the start, in the middle and at the end; no two times of the clock overlap."""
    served = serve("news_pipeline")
    declare_items(served.folder)
    with served.client() as client:
        client.start_build(model="rules")
        until(lambda: client.builds()["builds"][0]["state"] == "done", 120)
        [first] = client.negotiations()["negotiations"]
        client.start_runtime("off")
        client.publish("/News/Digest", {"digest": "one"})
    opened(page, served, f"negotiation/{first['id']}")
    expect(page.locator(".lanes .lane").nth(4)).to_be_attached()  # more than a fifth of 720 has room for
    for width, height in ((1280, 720), (1280, 900), (1024, 640), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        for part in (0, 0.37, 1):
            page.locator(".lanes").evaluate("(one, part) => one.scrollTo(0, part * one.scrollHeight)", part)
            page.wait_for_timeout(150)
            seen = page.evaluate(SEEN)
            assert seen["inside"] >= 1
            assert (seen["cut"], seen["part"] <= 0.2) == (0, True), (width, height, part, seen)
        stamps = sorted(page.evaluate(STAMPS))
        assert len(stamps) >= 2
        assert all(before[1] <= after[0] for before, after in pairwise(stamps)), (width, stamps)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("button", name="All 5 lanes").click()
    seen = page.evaluate(SEEN)
    assert (seen["inside"], seen["cut"]) == (5, 0)
    page.get_by_role("button", name="Fewer lanes").click()
    assert page.evaluate(SEEN)["part"] <= 0.2
