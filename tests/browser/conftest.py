"""The page as people meet it: served by the real command, in Debian's Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.serving import serve

__all__ = ["serve"]

expect.set_options(timeout=30_000)  # against a hang alone: a busy machine takes its time

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A Chromium for one test.

    Not for a whole session: Playwright's loop runs in this thread until it is left, and other tests of the same worker
    want loops of their own.
    """
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        pytest.skip("tests of the page need Chromium (Debian: apt-get install chromium); .ci/run installs it")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page; an error in the page's own code fails the test."""
    errors: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 820})
    opened = context.new_page()
    opened.set_default_timeout(30_000)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []
