"""The other doors to an impact: what `graphbus validate` says of sources, and what the page shows of a trial."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

CLI = (sys.executable, "-u", "-m", "graphbus_core.cli.main")
START_S = 60
# The rows of a trial by their names; what is mended in part, or not, stands in rows of its own.
ROWS = """() => [...document.querySelectorAll('.trial dl.facts dt')].map(
  (dt) => [dt.textContent, (dt.nextElementSibling.querySelector('span') ?? dt.nextElementSibling).textContent])"""
REFUSED = "document.querySelector('.trial dl.gates .refused dd bdi')?.textContent ?? null"


def list_validated(root: Path) -> dict[str, set[str]]:
    """What `graphbus validate --json` calls mismatches, by link, with the fields that fail."""
    done = subprocess.run([*CLI, "validate", "agents", "--json"], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return {name_link(m["link"]): set(m["paths"]) for m in json.loads(done.stdout)["mismatches"]}


def name_link(link: Mapping[str, Any]) -> str:
    """A link of `validate` by the name that trials and logs use."""
    sent, taken = (link[end] for end in ("producer", "consumer"))

    def name(end: Mapping[str, Any]) -> str:
        return f"{end['node']}.{end['method']}" if end["method"] else f"{end['node']} -> {end['topic']}"

    return f"{name(sent)} => {name(taken)}"


def _split(text: str) -> list[str]:
    return [] if text in ("", "no link", "nobody else") else text.split(", ")


class Screens:
    """One served copy of each project with its page open, on which changes are tried as a person tries them."""

    def __init__(self) -> None:
        self._playwright = sync_playwright().start()
        self._browser: Browser = self._playwright.chromium.launch(executable_path="/usr/bin/chromium")
        self._pages: dict[str, Page] = {}
        self._servers: list[subprocess.Popen[str]] = []
        self._diff: Sequence[Mapping[str, Any]] = ()
        self._count = 0

    def read_trial(self, project: str, root: Path, diff: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What the page of this project says of the diff: whether it holds or which gate refuses, mends, breaks, asks.

        The form of a change is filled in by hand; only the body of its request is put in the diff's place, since
        not every operation has a form.
        """
        page = self._pages.get(project) or self._open(project, root)
        self._diff = diff
        self._count += 1
        with page.expect_response("**/api/v1/try"):
            page.get_by_label("Name, in step 1").fill(f"name_{self._count}")
        expect(page.get_by_text("Trying it on a copy")).to_have_count(0)
        trial = page.locator(".trial")
        expect(trial.locator("dl.facts")).to_be_visible()
        expect(trial.get_by_text("The changed methods are called now")).to_have_count(0, timeout=60_000)
        first = trial.locator("p").first.inner_text()
        gate = page.evaluate(REFUSED)
        rows = dict(page.evaluate(ROWS))
        mends, breaks, asks = (_split(rows.get(name, "")) for name in ("Mends", "Breaks", "Must agree"))
        return {
            "passes": not first.startswith("✗"),  # a change that mends nothing, or not all yet, holds in other words
            "gate": gate,
            "mends": mends,
            "breaks": breaks,
            "asks": asks,
        }

    def _open(self, project: str, root: Path) -> Page:
        environment = {k: v for k, v in os.environ.items() if k != "GRAPHBUS_TOKEN"}
        server = subprocess.Popen(
            [*CLI, "serve", "agents", "--port", "0"], cwd=root, env=environment, text=True, stdout=subprocess.PIPE
        )
        self._servers.append(server)
        assert server.stdout is not None
        found = next(m for line in server.stdout if (m := re.search(r"http://[^/\s]+/#token=\S+", line)))
        page = self._browser.new_page()
        page.route("**/api/v1/try", self._put_diff)
        page.goto(found[0])
        expect(page.locator("#state")).to_have_text("live", timeout=START_S * 1000)
        node = page.evaluate(
            """async () => (await (await fetch('/api/v1/picture', {headers: {Authorization: 'Bearer ' +
            sessionStorage.getItem('graphbus-token')}})).json()).components[0].name"""
        )
        page.evaluate("name => { location.hash = '#/node/' + name; }", node)
        page.locator("summary", has_text="Change its contract").click()
        self._pages[project] = page
        return page

    def _put_diff(self, route: Route) -> None:
        asked = json.loads(route.request.post_data or "{}")
        route.continue_(post_data=json.dumps({**asked, "diff": list(self._diff)}))

    def close(self) -> None:
        """End the browser and the servers."""
        self._browser.close()
        self._playwright.stop()
        for server in self._servers:
            server.terminate()
            server.wait(10)
