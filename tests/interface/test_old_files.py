"""A `NAME.contract.json` that 0.2.0 wrote is pinned, held to and gone on with; what was edited in it is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from tests.interface.test_sharing import commit, git, table, verify

OLD = Path(__file__).parents[1] / "compatibility" / "v0_2_0" / "agreed" / "given" / "shared" / "orders.contract.json"


@pytest.fixture
def sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A shop that checked the old file in, and a billing; each shows its side of it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    document = json.loads(OLD.read_bytes())
    for name, key in (("shop", "schema"), ("billing", "consumer_schema")):
        folder = tmp_path / name
        (folder / "contracts").mkdir(parents=True)
        git(folder, "init", "-q")
        (folder / "order.json").write_text(json.dumps(document[key]))
    (tmp_path / "shop" / "contracts" / "orders.contract.json").write_bytes(OLD.read_bytes())
    commit(tmp_path / "shop")
    return tmp_path / "shop", tmp_path / "billing"


def pin(folder: Path, target: str, side: str) -> int:
    """Pin, showing the schema."""
    return main(["contracts", "pin", target, "--as", side, "--show", "order.json", "--project", str(folder)])


def test_both_sides_hold_to_an_old_file(sides: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """The next version is signed on top of it, and its first one stays what was pinned."""
    shop, billing = sides
    assert pin(shop, "contracts#orders@1", "producer") == 0
    assert pin(billing, f"{shop}#orders@1", "consumer") == 0
    hashes = {json.loads((folder / "contracts.lock").read_text())["hash"] for folder in sides}
    assert len(hashes) == 1
    assert [verify(folder, capsys)[0] for folder in sides] == [0, 0]
    document = json.loads(OLD.read_bytes())
    where = table(shop)
    where.table("producer", {**document["schema"], "title": "two"})
    pair = where.look().data["pair"]
    assert all(where.accept(side, pair).ok for side in ("producer", "consumer"))
    commit(shop)
    code, said = verify(billing, capsys)
    assert (code, "orders v2 is signed and fits you" in said) == (0, True), said
    assert pin(billing, f"{shop}#orders", "consumer") == 0
    assert '"version": 2' in (billing / "contracts.lock").read_text()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"integer"', '"number"'),
        ('"version": 1', '"version": 2'),
        ('"digest": "sha256:', '"digest": "sha256:0'),
        ('"shop"', '"shoq"'),
    ],
)
def test_an_old_file_that_was_edited_passes_nowhere(
    old: str, new: str, sides: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """By its digest where it has one, else by the hash that was pinned."""
    shop, billing = sides
    assert pin(billing, f"{shop}#orders@1", "consumer") == 0
    file = shop / "contracts" / "orders.contract.json"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    commit(shop)
    code, said = verify(billing, capsys)
    assert (code, "✗" in said, "Traceback" in said) == (1, True, False), said
