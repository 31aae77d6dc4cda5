"""The page as people meet it: served by the real command, in Debian's Chromium."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, Playwright, expect, sync_playwright

from tests.serving import serve

__all__ = ["serve"]

WAIT_MS = 60_000  # against a hang alone: a busy machine takes its time
expect.set_options(timeout=WAIT_MS)

# The first is Chromium without its window, a process a page less: a page costs it less than half of the processor.
EXECUTABLES = ("chromium-headless-shell", "chromium", "chromium-browser")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def end_driver() -> None:
    """Kill Playwright's driver, a child of this process, with its browser: every wait on them raises."""
    parents: dict[int, int] = {}
    ending: list[int] = []
    for one in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            parents[int(one.name)] = parent = int((one / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent == os.getpid() and b"run-driver" in (one / "cmdline").read_bytes():
                ending.append(int(one.name))
    for above in ending:  # grows while it is read: children, and theirs
        ending += [pid for pid, parent in parents.items() if parent == above]
    for pid in ending:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def bounded(close: Callable[[], object]) -> None:
    """Close something of the browser's. A page in an endless loop answers nobody: then the driver is ended instead."""
    late = threading.Timer(WAIT_MS / 1000, end_driver)
    late.start()
    try:
        with contextlib.suppress(Error):
            close()
    finally:
        late.cancel()
        late.join(WAIT_MS / 1000)


class Chromium:
    """One Chromium for the tests of this folder, and another where it is gone: a test that hangs takes only its own."""

    def __init__(self) -> None:
        self.playwright: Playwright | None = None
        self.browser: Browser | None = None

    def start(self) -> Browser:
        """The browser that runs; a new one where none does."""
        if self.browser is None or not self.browser.is_connected():
            self.end()
            executable = next(filter(None, map(shutil.which, EXECUTABLES)), None)
            if executable is None:
                pytest.skip("tests of the page need Chromium (Debian: chromium-headless-shell); .ci/run installs it")
            self.playwright = sync_playwright().start()
            launch = self.playwright.chromium.launch
            self.browser = launch(executable_path=executable, args=ARGUMENTS, timeout=WAIT_MS * 2)
        return self.browser

    def end(self) -> None:
        """End the browser and its driver."""
        for close in (self.browser and self.browser.close, self.playwright and self.playwright.stop):
            if close:
                bounded(close)
        self.browser = self.playwright = None


@pytest.fixture(scope="package")
def chromium() -> Iterator[Chromium]:
    """Not for a whole session: Playwright's loop runs in this thread until it is left; other folders want their own."""
    chromium = Chromium()
    try:
        yield chromium
    finally:
        chromium.end()


@pytest.fixture
def browser(chromium: Chromium) -> Iterator[Browser]:
    """The Chromium of this folder; what a test opens in it is closed after the test."""
    started = chromium.start()
    try:
        yield started
    finally:
        for context in started.contexts:
            bounded(context.close)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page; an error in the page's own code fails the test."""
    errors: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 820})
    try:
        opened = context.new_page()
        opened.set_default_timeout(WAIT_MS)
        opened.on("pageerror", lambda error: errors.append(str(error)))
        yield opened
    finally:
        bounded(context.close)
    assert errors == []
