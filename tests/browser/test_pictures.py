"""Each state looks as it did: pictures, compared with a tolerance, on the Chromium and the fonts they were taken with.

Elsewhere the test is skipped and says why: another Chromium draws letters in another way. A state that looks different
is looked at again for a while, because a machine under load shows it later. `write` makes new pictures where needed:

    GRAPHBUS_PICTURES=write python -m pytest tests/browser/test_pictures.py -n0
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.comparing import differing, small
from tests.browser.states import State, approving, enter, evaluating, settle, show, states
from tests.browser.test_layout import arranged
from tests.browser.test_page import opened
from tests.serving import Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(800)
FOLDER = Path(__file__).parent / "pictures"
MADE_WITH = FOLDER / "made-with.txt"
SIZE: ViewportSize = {"width": 1280, "height": 820}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
DARK = ("project", "mend", "grades", "negotiation", "call", "document", "counter", "approve")  # the others are as light
SHARE = 0.001  # of the points may differ: edges of letters and curves
ATTEMPTS = 4
STILL = """() => {
  const hide = (what) => document.querySelectorAll(what).forEach((one) => { one.style.visibility = "hidden"; });
  hide(".track, .ruler, .falls svg, #toast, input[type=range]");
  for (const one of document.querySelectorAll(".gates"))  // what could be proved depends on the machine
    Object.assign(one.style, {height: "120px", overflow: "hidden", visibility: "hidden"});
  document.documentElement.style.scrollbarWidth = "none";
  for (const one of [document.body, ...document.querySelectorAll("button, input, select, textarea")])
    one.style.fontFamily = one.tagName === "TEXTAREA" ? '"Liberation Mono"' : '"Liberation Sans"';
  document.querySelectorAll("pre, code, kbd, .chip").forEach((one) => { one.style.fontFamily = '"Liberation Mono"'; });
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const said = walk.currentNode.nodeValue;
    const same = said
      .replace(/(build|consent|run)-[0-9][-0-9a-f]*/g, "$1-1")
      .replace(/[0-9]{2}:[0-9]{2}:[0-9]{2}/g, "00:00:00")
      .replace(/[+]?[0-9]+[.][0-9]+ ms/g, "0.0 ms")
      .replace(/p-[0-9a-f]{4}/g, "p-0000")
      .replace(/[0-9]+ of [0-9]+ facts|[0-9]+ facts/g, "9 facts");
    if (same !== said) walk.currentNode.nodeValue = same;
  }
}"""


def made_with(page: Page) -> str:
    """The Chromium and the fonts that pictures depend on."""
    assert page.context.browser is not None
    said = [f"chromium {page.context.browser.version}"]
    for name in ("Liberation Sans", "Liberation Mono"):
        file = ""
        if shutil.which("fc-match"):
            command = ["fc-match", "--format=%{file}", name]
            file = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout
        digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16] if file and Path(file).is_file() else "none"
        said.append(f"{name} {digest}")
    return "\n".join(said) + "\n"


class Shelf:
    """The pictures in the repository, and what is found to differ from them."""

    def __init__(self, page: Page, looked_at: Path) -> None:
        self.is_writing = os.environ.get("GRAPHBUS_PICTURES") == "write"
        self.looked_at = looked_at
        self.beside = page.context.new_page()  # compares, so that the page itself stays where it is
        self.different: dict[str, float] = {}

    def file(self, name: str) -> Path:
        return FOLDER / f"{name}.png"

    def share(self, name: str, picture: bytes) -> float:
        """The share of the points that are others than in the picture that is kept; 1 where none is kept."""
        if not (file := self.file(name)).is_file():
            return 1.0
        return differing(self.beside, picture, file.read_bytes())

    def take(self, name: str, picture: bytes) -> bool:
        """Whether it looks as it did. While new ones are written, what looks the same is left as it is."""
        share = self.share(name, picture)
        self.different.pop(name, None)
        if share <= SHARE:
            return True
        if self.is_writing:
            FOLDER.mkdir(exist_ok=True)
            self.file(name).write_bytes(small(self.beside, picture))
            return True
        self.different[name] = round(share, 4)
        (self.looked_at / f"{name}.png").write_bytes(picture)
        return False


def look(page: Page, shelf: Shelf, state: State) -> None:
    """Take a state in each scheme that is kept of it, and those that differ again for a while."""
    left = [scheme for scheme in SCHEMES if scheme == "light" or state.name in DARK]
    for attempt in range(ATTEMPTS):
        page.emulate_media(reduced_motion="reduce", color_scheme="light")
        enter(page, state)
        page.reload()  # what was frozen is alive again, and nothing is left of the state before
        expect(page.locator("#state")).to_have_text("live")
        if page.locator(".picture").is_visible():  # neither a seat nor the screen to begin on has one
            arranged(page)
        show(page, state)
        for wait in (2_000,) if shelf.is_writing else (0, 700 + 1_500 * attempt):
            page.wait_for_timeout(wait)
            for scheme in [*left]:
                page.emulate_media(reduced_motion="reduce", color_scheme=scheme)
                settle(page)
                page.evaluate(STILL)
                if shelf.take(f"{state.name}-{scheme}", page.screenshot(animations="disabled", caret="hide")):
                    left.remove(scheme)
            if not left:
                return


def test_each_state_looks_as_it_did(page: Page, serve: Serve, tmp_path: Path) -> None:
    """In light, and some in dark too: one project is brought into each state once, and looked at in both."""
    shelf = Shelf(page, tmp_path)
    here = made_with(page)
    known = MADE_WITH.read_text() if MADE_WITH.is_file() else "nothing"
    if known != here and not shelf.is_writing:
        pytest.skip(f"the pictures were made with {known.split()}, here is {here.split()}: they cannot be compared")
    page.set_viewport_size(SIZE)
    served = serve("news_pipeline")
    first = states(served)
    opened(page, served)
    for some in (lambda served: first, evaluating, approving):
        for state in some(served):
            look(page, shelf, state)
    if shelf.is_writing:
        MADE_WITH.write_text(here)
    assert shelf.different == {}, f"compare what is in {tmp_path} with {FOLDER}"
