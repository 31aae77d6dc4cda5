"""Each state looks as it did: pictures, compared with a tolerance, on the Chromium and the font they were taken with.

They are compared on request, because a machine under load shows some states a moment too early. Without it, or
elsewhere, the states are drawn all the same, and a warning says that nothing was compared. `write` makes new ones:

    GRAPHBUS_PICTURES=compare python -m pytest tests/browser/test_pictures.py -n0
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.states import State, approving, evaluating, show, states
from tests.browser.test_layout import arranged
from tests.browser.test_page import opened
from tests.serving import Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(540)
FOLDER = Path(__file__).parent / "pictures"
MADE_WITH = FOLDER / "made-with.txt"
SIZE = {"width": 1280, "height": 820}
DARK = ("project", "mend", "grades", "negotiation", "call", "document", "counter", "approve")  # the others are as light
SHARE = 0.01  # of the points may differ: edges of letters and curves
STILL = """() => {
  const hide = (what) => document.querySelectorAll(what).forEach((one) => { one.style.visibility = "hidden"; });
  hide(".track, .falls svg, #toast, .recent, input[type=range]");
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
DIFFERS = """async ([one, other]) => {
  const read = async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await read(one), await read(other)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4)
    if ([0, 1, 2].some((part) => Math.abs(a.data[i + part] - b.data[i + part]) > 48)) count++;
  return count / (a.data.length / 4);
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_state_looks_as_it_did(page: Page, serve: Serve, scheme: str) -> None:
    page.emulate_media(reduced_motion="reduce", color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size(SIZE)  # type: ignore[arg-type]
    is_comparing = os.environ.get("GRAPHBUS_PICTURES") == "compare"
    is_writing = os.environ.get("GRAPHBUS_PICTURES") == "write"
    here = made_with(page)
    is_same = MADE_WITH.is_file() and MADE_WITH.read_text() == here
    served = serve("news_pipeline")
    first = states(served)
    opened(page, served)
    taken: dict[str, bytes] = {}

    def take(state: State) -> None:
        if scheme == "dark" and state.name not in DARK:
            return
        page.evaluate(f"location.hash = '#/{state.address}'")
        page.reload()  # what was frozen is alive again, and nothing is left of the state before
        expect(page.locator("#state")).to_have_text("live")
        arranged(page)
        show(page, state)
        page.wait_for_timeout(300)
        page.evaluate(STILL)
        taken[state.name] = page.screenshot(animations="disabled", caret="hide")

    for state in first:
        take(state)
    for later in (evaluating, approving):
        for state in later(served):
            take(state)
    if is_writing:
        FOLDER.mkdir(exist_ok=True)
        MADE_WITH.write_text(here)
        for name, picture in taken.items():
            (FOLDER / f"{name}-{scheme}.png").write_bytes(picture)
        return
    if not is_comparing:
        warnings.warn(f"{len(taken)} pictures were not compared: GRAPHBUS_PICTURES=compare does so", stacklevel=1)
        return
    if not is_same:
        known = MADE_WITH.read_text() if MADE_WITH.is_file() else "nothing"
        warnings.warn(f"{len(taken)} pictures were not compared: made with {known!r}, here is {here!r}", stacklevel=1)
        return
    page.goto("about:blank")
    different = {}
    for name, picture in taken.items():
        file = FOLDER / f"{name}-{scheme}.png"
        texts = [base64.b64encode(one).decode() for one in (picture, file.read_bytes())]
        if (share := page.evaluate(DIFFERS, texts)) > SHARE:
            different[name] = round(share, 4)
            Path(served.folder / f"{name}-{scheme}.png").write_bytes(picture)
    assert different == {}, f"look at {served.folder}, and at {FOLDER}"
