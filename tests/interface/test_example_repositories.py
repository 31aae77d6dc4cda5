"""The two example repositories as their users have them: hosts, fresh clones, and CI as their workflow files say."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks._two_repositories_road import World, find_modules

ROOT = Path(__file__).parents[2]

STRICTER = {
    "side": "consumer",
    "edits": [{"file": "src/order.ts", "old": "sku.length > 20", "new": "sku.length > 12"}],
}
LONGER = {
    "side": "producer",
    "edits": [
        {"file": "shop/orders.py", "old": 'row["customer_name"]}', "new": 'row["customer_name"].upper()}'},
    ],
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Both repositories, signed, pinned and pushed. Needs node, and the compiler of TypeScript from npm."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed: the consumer of the example is written in TypeScript")
    with pytest.MonkeyPatch.context() as patch:
        if find_modules() is None:
            place = tmp_path_factory.mktemp("npm")
            shutil.copy(ROOT / "examples" / "two_repositories" / "billing" / "package.json", place)
            words = ["npm", "install", "--silent", "--no-audit", "--no-fund"]
            if subprocess.run(words, cwd=place, check=False, capture_output=True, timeout=300).returncode:
                pytest.skip("TypeScript cannot be installed: the registry of npm is not reached")
            patch.setenv("NODE_MODULES", str(place / "node_modules"))
        yield World(tmp_path_factory.mktemp("world"))


def test_both_are_green_as_they_stand(world: World) -> None:
    """Else a red CI would prove nothing."""
    assert [world.run_ci(name, "main").said for name in ("shop", "billing")] == ["", ""]


def test_code_that_takes_less_is_red_on_both_sides(world: World, tmp_path: Path) -> None:
    """Nothing is declared: billing's service refuses a payload, and the shop's CI hears it."""
    ends = world.copy_to(tmp_path / "world").make(STRICTER)
    assert {name: (end.code, end.has_payload) for name, end in ends.items()} == {
        "billing": (1, True),
        "shop": (1, True),
    }, ends


def test_a_change_that_nobody_reads_is_green_on_both_sides(world: World, tmp_path: Path) -> None:
    """Billing does not read the name."""
    ends = world.copy_to(tmp_path / "world").make(LONGER)
    assert {name: end.code for name, end in ends.items()} == {"billing": 0, "shop": 0}, ends
