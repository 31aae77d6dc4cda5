"""Where cards stand: first as the server laid them out, then in layers, by a worker that loads after the picture."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.serving import Served, until

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)
CARDS = """() => [...document.querySelectorAll(".node")].map((one) => ({
  name: one.querySelector(".title bdi").textContent,
  box: ["left", "top", "width", "height"].map((side) => parseFloat(one.style[side])),
}))"""
LOADS = """() => [
  performance.getEntriesByName("picture")[0]?.startTime,
  performance.getEntriesByType("resource").find((one) => one.name.endsWith("/page/elk.js"))?.startTime,
]"""


def cards(page: Page) -> dict[str, Any]:
    """Name -> left, top, width, height of the cards that are elements."""
    return {one["name"]: one["box"] for one in page.evaluate(CARDS)}


def test_cards_stand_in_layers_once_the_picture_is_there(page: Page, serve: Serve) -> None:
    """What feeds stands left of what it feeds, no card on another; the layout was not waited for."""
    opened(page, serve("news_pipeline"))
    arranged(page)
    found = cards(page)
    lefts = [found[name][0] for name in ("FetcherService", "CleanerService", "FormatterService")]
    assert lefts == sorted(lefts)
    assert min(b - a for a, b in pairwise(lefts)) > 260  # the width of a card
    boxes = list(found.values())
    for i, (x, y, w, h) in enumerate(boxes):
        for u, v, wide, high in boxes[i + 1 :]:
            assert x + w <= u or u + wide <= x or y + h <= v or v + high <= y
    picture, elk = page.evaluate(LOADS)
    assert picture < elk


def test_whoever_comes_back_sees_the_whole_project(page: Page, serve: Serve) -> None:
    """A field moves the map to whom it concerns; on the way back all of it is in sight again."""
    opened(page, serve("news_pipeline"))
    page.set_viewport_size({"width": 1000, "height": 640})
    arranged(page)
    shown = "document.querySelector('.world').style.transform"
    whole = page.evaluate(shown)
    page.evaluate("location.hash = '#/field/FetcherService/fetch_headlines/output/headlines'")
    page.wait_for_timeout(400)
    assert page.evaluate(shown) != whole
    for name in ("FetcherService", "CleanerService"):
        expect(page.locator(".node").filter(has_text=name).first).to_be_in_viewport(ratio=0.9)
    page.get_by_role("link", name="← The whole project").click()
    until(lambda: page.evaluate(shown) == whole)


def arranged(page: Page, times: int = 1) -> None:
    """Wait until the worker's layout is drawn, so often, and the elements have followed the canvas."""

    def is_drawn() -> bool:
        page.wait_for_timeout(100)
        return int(page.evaluate("performance.getEntriesByName('arranged').length")) >= times

    until(is_drawn)
    page.wait_for_timeout(400)


def fifty(folder: Path, count: int = 50) -> Path:
    """Ten chains, with names as people give them, and one link that does not fit."""
    (folder / "agents").mkdir(parents=True)
    parts = ("Intake", "Checker", "Ledger", "Notifier", "Archive")
    for number in range(count // len(parts)):
        lines = ["from graphbus_core import GraphBusNode, depends_on, schema_method"]
        for at, part in enumerate(parts):
            takes = "total" if (number, at) == (4, 3) else "amount"
            needs = f'    @depends_on("Area{number}{parts[at - 1]}.work")\n' if at else ""
            lines.append(
                f"\n\nclass Area{number}{part}(GraphBusNode):\n{needs}"
                f'    @schema_method(input_schema={{"{takes}": float}}, output_schema={{"amount": float}})\n'
                f'    def work(self, {takes}):\n        return {{"amount": 1.0}}'
            )
        (folder / "agents" / f"area{number}.py").write_text("\n".join(lines) + "\n")
    return folder


TEXTS = """() => {
  const drawn = window.drawn = [];
  const own = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, room) {
    const {a, e, f} = this.getTransform(), dots = Math.min(2, devicePixelRatio || 1);
    const size = parseFloat(/([0-9.]+)px/.exec(this.font)[1]) * a / dots;
    drawn.push([text, size, this.measureText(text).width <= room, (e + a * x) / dots, (f + a * y) / dots]);
    return own.call(this, text, x, y, room);
  };
}"""


def test_fifty_names_can_be_read_at_once(page: Page, serve: Serve, tmp_path: Path) -> None:
    """All of them whole, at 10 points of the screen or more, none squeezed; and the broken link can be clicked."""
    opened(page, serve(fifty(tmp_path / "fifty")))
    expect(page.get_by_role("heading", name="1 link does not fit")).to_be_visible()
    page.evaluate(TEXTS)
    arranged(page)
    page.evaluate("window.drawn.length = 0")
    page.get_by_role("button", name="Show all").click()
    page.wait_for_timeout(500)
    drawn = page.evaluate("window.drawn")
    said = "".join(text for text, *_ in drawn)
    assert all(f"Area{number}" in said for number in range(10))
    assert said.count("Notifier") >= 10
    assert "…" not in said
    assert min(size for _, size, *_ in drawn) >= 10
    assert all(fits for _, _, fits, *_ in drawn)
    page.get_by_role("button", name="Does not fit: Area4Ledger", exact=False).click()
    expect(page.get_by_text("total is required by the consumer")).to_be_visible()
    arranged(page, times=2)  # beside a link there is less room
    page.get_by_role("button", name="Show all").click()
    page.wait_for_timeout(500)
    x, y = next((x, y) for text, _, _, x, y in reversed(page.evaluate("window.drawn")) if text.startswith("Area7"))
    page.locator("canvas").click(position={"x": x, "y": y})  # a box that is drawn, and no element
    expect(page.get_by_role("heading", level=2)).to_contain_text("Area7")
    page.evaluate("location.hash = '#/field/Area7Ledger/work/output/amount'")
    page.get_by_label("The new type").press_sequentially("str")
    expect(page.locator(".trial dt:text('Breaks') + dd")).to_contain_text("Area7Ledger.work => Area7Notifier.work")
    page.get_by_label("Change it where it is taken, too").check()
    expect(page.locator(".trial dt:text('Breaks') + dd")).to_have_text("no link")
    page.evaluate("location.hash = '#/start'")
    form = page.get_by_role("region", name="Decide by consent")
    form.get_by_label("What is decided").fill("Where?\nplace: Lisbon, Oslo")
    form.get_by_label("Who decides").fill("Ann, Ben, Cem")
    form.get_by_role("button", name="Begin, and sit down as Ann").click()
    others = page.get_by_label("Links for the others")
    for name in ("Ben", "Cem"):
        expect(others.get_by_role("button", name=f"Copy {name}'s link")).to_be_visible()
    expect(page.get_by_label("Invitation", exact=True)).to_have_count(0)


def test_a_large_project_is_laid_out_by_the_server_alone(page: Page, serve: Serve, tmp_path: Path) -> None:
    """Above 200 components nobody waits for a layout; what is in sight can be arranged on request."""
    opened(page, serve(fifty(tmp_path / "large", 205)), "node/Area7Ledger")
    arrange = page.get_by_role("button", name="Arrange what is in sight")
    expect(arrange).to_be_visible()
    page.wait_for_timeout(500)
    assert page.evaluate(LOADS)[1] is None
    before = cards(page)
    arrange.click()
    arranged(page)
    assert cards(page) != before


def packages(folder: Path) -> Path:
    """210 components in three packages; one link does not fit, in the smallest of them."""
    sizes = {"billing": 120, "catalog": 60, "shipping": 30}
    for package, size in sizes.items():
        (folder / "agents" / package).mkdir(parents=True)
        for empty in (folder / "agents", folder / "agents" / package):
            (empty / "__init__.py").touch()
        for start in range(0, size, 10):
            lines = ["from graphbus_core import GraphBusNode, depends_on, schema_method"]
            for i in range(start, start + 10):
                name = package.title()
                takes = "total" if (package, i) == ("shipping", 5) else "amount"
                needs = f'    @depends_on("{name}{i - 1:03}.work")\n' if i % 10 else ""
                lines.append(
                    f"\n\nclass {name}{i:03}(GraphBusNode):\n{needs}"
                    f'    @schema_method(input_schema={{"{takes}": float}}, output_schema={{"amount": float}})\n'
                    f'    def work(self, {takes}):\n        return {{"amount": 1.0}}'
                )
            (folder / "agents" / package / f"part{start:03}.py").write_text("\n".join(lines) + "\n")
    return folder


def test_a_large_project_stands_in_packages_the_worst_first(page: Page, serve: Serve, tmp_path: Path) -> None:
    """Each block says its name, how many it holds and how many of them fail; a click goes there."""
    opened(page, serve(packages(tmp_path / "packages")))
    heads = page.locator(".head")
    expect(heads.first).to_have_accessible_name("agents.shipping.part000: 10 components, 2 with links that do not fit")
    names = heads.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert sum(int(name.split(": ")[1].split()[0]) for name in names) == 210
    assert all("do not fit" not in name for name in names[1:])
    heads.first.click()
    expect(page.get_by_role("button", name="Does not fit: Shipping004", exact=False)).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    while "far" not in str(heads.first.get_attribute("class")):
        page.get_by_role("button", name="Zoom out").click()
        page.wait_for_timeout(300)
    far = heads.first.bounding_box()
    assert far is not None
    scale = "one => new DOMMatrix(one.style.transform).a"
    before = page.locator(".world").evaluate(scale)
    page.mouse.click(far["x"] + far["width"] / 2, far["y"] + far["height"] + 3)  # its block, below its name
    until(lambda: page.locator(".world").evaluate(scale) > 1.5 * before)


def test_a_name_is_cut_where_it_is_like_the_others(page: Page, serve: Serve, tmp_path: Path) -> None:
    """What all names begin with may go, and what tells them apart stays."""
    lines = ["from graphbus_core import GraphBusNode, schema_method"]
    for i in range(120):
        lines.append(
            f"\n\nclass ServiceOfTheWholeCompanyForEverybodyThatIsConcerned{i:03}(GraphBusNode):\n"
            '    @schema_method(input_schema={"a": int}, output_schema={})\n    def work(self, a):\n        return {}'
        )
    (tmp_path / "long" / "agents").mkdir(parents=True)
    (tmp_path / "long" / "agents" / "all.py").write_text("\n".join(lines) + "\n")
    opened(page, serve(tmp_path / "long"))
    page.evaluate(TEXTS)
    arranged(page)
    page.evaluate("window.drawn.length = 0")
    page.get_by_role("button", name="Show all").click()
    page.wait_for_timeout(500)
    said = "".join(text for text, *_ in page.evaluate("window.drawn"))
    assert "…" in said
    assert all(f"{i:03}" in said for i in range(120))


def test_the_canvas_follows_the_theme(page: Page, serve: Serve) -> None:
    """Links are drawn anew in the other colours when the system's theme changes, without being touched."""
    page.emulate_media(color_scheme="light")
    opened(page, serve("news_pipeline"))
    arranged(page)
    colours = """() => {
      const {data} = document.querySelector("canvas").getContext("2d").getImageData(0, 0, 860, 700);
      let sum = 0;
      for (let i = 0; i < data.length; i += 4) sum += data[i] + data[i + 1] + data[i + 2];
      return sum;
    }"""
    light = page.evaluate(colours)
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(500)
    dark = page.evaluate(colours)
    assert dark > light  # brighter lines on a darker ground


def test_a_narrow_room_has_its_own_layout_and_a_wide_one_again(page: Page, serve: Serve, tmp_path: Path) -> None:
    """Stacked cards have their links around them, and never behind one; in a wide room they stand in a row again."""
    opened(page, serve("news_pipeline"))
    page.set_viewport_size({"width": 1280, "height": 800})
    arranged(page)
    names = ("FetcherService", "CleanerService", "FormatterService")

    def stand() -> str:
        shown_cards = cards(page)
        if not all(name in shown_cards for name in names):
            return "far away"
        return "row" if min(shown_cards[b][0] - shown_cards[a][0] for a, b in pairwise(names)) > 260 else "stack"

    until(lambda: stand() == "row")
    page.evaluate("location.hash = '#/team/here'")  # a page that is read leaves less room for the picture
    until(lambda: stand() == "stack")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the picture as SVG").click()
    saved.value.save_as(tmp_path / "picture.svg")
    svg = (tmp_path / "picture.svg").read_text()
    ways = [d for d in re.findall(r'<path d="(M[^"]*)" stroke', svg) if "C" not in d]
    boxes = [
        tuple(map(float, box))
        for box in re.findall(r'translate\((\S+) (\S+)\)"><rect width="([\d.]+)" height="([\d.]+)"', svg)
    ]
    assert len(ways) >= 5
    assert len(boxes) == 4
    for way in ways:
        points = [tuple(map(float, point)) for point in re.findall(r"(-?[\d.]+) (-?[\d.]+)", way)]
        for (a, b), (c, d) in pairwise(points):
            for x, y, width, height in boxes:
                inside_x = min(a, c) < x + width - 1 and max(a, c) > x + 1
                inside_y = min(b, d) < y + height - 1 and max(b, d) > y + 1
                assert not (inside_x and inside_y), (way, (x, y, width, height))
    page.evaluate("location.hash = '#/'")
    until(lambda: stand() == "row")
