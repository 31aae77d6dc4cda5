"""Makes the pictures of docs/api.md: serves a copy of the news pipeline, and visits five places of the page.

python docs/screenshots.py        # needs the dev extra and Debian's chromium
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from graphbus_core.cli.examples import example
from graphbus_core.http.client import GraphBusClient

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        home = Path(folder) / "news"
        shutil.copytree(example("news_pipeline"), home)
        command = [sys.executable, "-u", "-m", "graphbus_core.cli.main", "serve", "agents", "--port", "0"]
        environment = {k: v for k, v in os.environ.items() if k != "GRAPHBUS_TOKEN"}
        server = subprocess.Popen(command, cwd=home, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            found = next(m for line in server.stdout if (m := re.search(r"(http://\S+)/#token=(\S+)", line)))
            _visit(found[1], found[2])
        finally:
            server.terminate()


def _visit(url: str, token: str) -> None:
    with sync_playwright() as playwright, GraphBusClient(url, token) as client:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        page = browser.new_page(viewport={"width": 1180, "height": 720})
        page.goto(f"{url}/#token={token}")
        page.get_by_role("heading", name="2 links do not fit").wait_for()
        page.wait_for_timeout(900)
        _take(page, "graph")
        page.get_by_role("button", name=re.compile("Does not fit: FetcherService")).click()
        page.get_by_role("button", name="rename items → headlines").click()
        page.get_by_text("✓ It holds.").wait_for()
        page.wait_for_timeout(1_500)
        _take(page, "link")
        client.start_build(approve=True, model="rules")
        _show(page, "inbox")
        page.locator(".split button.primary:not([disabled])").wait_for()  # it was tried
        page.get_by_text("are called now").wait_for(state="hidden")
        _take(page, "asked")
        run = client.builds()["builds"][0]["id"]
        while client.build(run)["state"] == "running":
            for question in client.questions()["questions"]:
                said = {"approve": True}
                if question["kind"] == "choose":
                    said = {"choice": question["answer_schema"]["properties"]["choice"]["enum"][0]}
                client.answer(question["id"], said)
            page.wait_for_timeout(100)
        _show(page, "negotiations")
        page.locator("aside .list a").first.click()
        page.locator(".outcome.committed").first.wait_for()
        page.wait_for_timeout(700)
        _take(page, "negotiation")
        client.start_runtime("off")
        _show(page, "runtime")
        articles = [
            {"title": "Night ferry returns", "link": "https://gazette.example/1", "summary": "", "published": ""}
        ]
        told = {"articles": articles, "minutes": 1.0, "feed_title": "The Harbour Gazette"}
        client.call("FormatterService", "format_digest", told)
        page.wait_for_timeout(900)
        _take(page, "runtime")
        browser.close()


def _show(page: Page, view: str) -> None:
    page.evaluate(f"location.hash = '#/{view}'")
    page.wait_for_timeout(700)


def _take(page: Page, name: str) -> None:
    page.screenshot(path=IMAGES / f"{name}.png")
    print(f"docs/images/{name}.png")


if __name__ == "__main__":
    main()
