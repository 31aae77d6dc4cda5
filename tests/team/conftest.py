"""A repository with a small shop, and seats that work in it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.services import team

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": """def total(items, tax=0.2):
    price = sum(item["price"] for item in items)
    return {"sum": price, "tax": price * tax}


class Cart:
    def __init__(self, items):
        self.items = items

    def total(self, tax=0.2):
        return total(self.items, tax)["sum"]

    def count(self):
        return len(self.items)
""",
    "shop/bill.py": """from shop.cart import Cart, total


def print_bill(cart: Cart):
    print(cart.total(tax=0.1), total(cart.items, 0.3)["tax"])


def count_lines(text):
    return text.count("x")
""",
    "tests/test_cart.py": """from shop.cart import Cart, total


def test_total():
    assert total([{"price": 10}], 0.1) == {"sum": 10, "tax": 1.0}
    assert Cart([{"price": 1}]).total() == 1
""",
}


class Team:
    """A repository, its seats, and the time on the wall."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "shop"
        self.root.mkdir()
        self.now = 1_000.0
        self.seats: dict[str, Path] = {}
        self.git(self.root, "init", "-q", "-b", "main")
        self.git(self.root, "config", "user.name", "Ann")
        self.git(self.root, "config", "user.email", "ann@example.org")
        self.write(self.root, FILES)
        self.commit(self.root, "base")

    def git(self, where: Path, *words: str) -> str:
        return subprocess.run(["git", *words], cwd=where, capture_output=True, text=True, check=True).stdout.strip()

    def write(self, where: Path, files: dict[str, str]) -> None:
        for path, text in files.items():
            (where / path).parent.mkdir(parents=True, exist_ok=True)
            (where / path).write_text(text)

    def replace(self, seat: str, path: str, old: str, new: str) -> None:
        file = self.seats[seat] / path
        text = file.read_text()
        assert text.count(old) == 1, (path, old)
        file.write_text(text.replace(old, new))

    def commit(self, where: Path, message: str) -> str:
        self.git(where, "add", "-A")
        self.git(where, "commit", "-q", "-m", message)
        return self.git(where, "rev-parse", "HEAD")

    def start(self, *seats: str, lease_s: float = 1_800.0) -> Team:
        team.start(self.root, lease_s=lease_s, clock=self.clock)
        for seat in seats:
            self.join(seat)
        return self

    def join(self, seat: str) -> None:
        self.seats[seat] = Path(team.join(self.root, seat, worktree="", clock=self.clock)["worktree"])

    def clock(self) -> float:
        return self.now

    def plan(self, seat: str, *lines: str) -> dict[str, Any]:
        return team.plan(self.seats[seat], "\n".join(lines), clock=self.clock)

    def say(self, seat: str, text: str) -> dict[str, Any]:
        return team.say(self.seats[seat], text, clock=self.clock)

    def turn(self, seat: str) -> dict[str, Any]:
        return team.turn(self.seats[seat], clock=self.clock)

    def land(self, seat: str) -> dict[str, Any]:
        return team.land(self.seats[seat], verify=None, clock=self.clock)

    def status(self) -> dict[str, Any]:
        return team.show_status(self.root, clock=self.clock)

    def settle(self, question: dict[str, Any], choice: int = 0) -> None:
        for seat in question["seats"]:
            self.say(seat, f"@accept {question['id']} {question['choices'][choice]['hash']}")


@pytest.fixture
def make_team(tmp_path: Path) -> Callable[[], Team]:
    """A team that has not begun."""
    return lambda: Team(tmp_path)
