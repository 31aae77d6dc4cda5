"""The board of a team, and the one click by which a seat settles what it is asked."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.http.test_team import NODE
from tests.serving import V1, Served
from tests.team.conftest import FILES

pytestmark = pytest.mark.timeout(300)


def test_the_board_shows_who_works_on_what_and_a_seat_settles_with_a_click(
    serve: Callable[..., Served], page: Page, tmp_path: Path
) -> None:
    """One agent a column, what is contested in words; behind the link the question; then it waits for the other."""
    root = tmp_path / "shop"
    for path, text in {**FILES, "agents/hello.py": NODE}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for words in (("init", "-q", "-b", "main"), ("config", "user.name", "x"), ("config", "user.email", "x@x.org"),
                  ("add", "-A"), ("commit", "-q", "-m", "base")):  # fmt: skip
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    served = serve(Path("shop"))
    api = V1(served)
    api("POST", "/teams", {})
    keys = {name: api("POST", "/seats", {"table": "team/here", "name": name})["key"] for name in ("ada", "bob")}
    by_name = {name: V1(served, key) for name, key in keys.items()}
    for name, plan in (("ada", "shop/cart.py::total: remove parameter tax"), ("bob", "shop/bill.py::print_bill: body")):
        by_name[name]("POST", "/teams/here/plans", {"seat": name, "plan": plan})

    page.goto(f"{served.url}/#token={served.token}")
    page.goto(f"{served.url}/#/team/here")
    expect(page.get_by_role("heading", name="1 overlap is not settled")).to_be_visible()
    ada = page.get_by_role("region", name="Seat ada")
    expect(ada).to_contain_text("remove parameter tax")
    expect(ada).to_contain_text("shop/cart.py, contested")
    expect(page.get_by_text("waits for ada and bob")).to_be_visible()

    page.goto(f"{served.url}/#seat={keys['bob']}")
    page.get_by_role("button", name="ada lands first").click()
    expect(page.get_by_text("waits for ada", exact=True)).to_be_visible()
    assert by_name["bob"].refused("GET", "/questions")[1]["code"] == "seat_taken"  # the key is the page's now
