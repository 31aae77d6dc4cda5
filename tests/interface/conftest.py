"""Two repositories with one interface, made once a worker and copied for each test."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from tests.interface.test_sharing import RECORDS, SENDS, TAKES, agree, commit, git
from tests.interface.test_verdicts import push


@pytest.fixture(scope="session")
def signed_pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a shop that has a contract, and a billing that pins it and has yet to be committed.

    Made once: twelve runs of git, and two of our commands.
    """
    made = tmp_path_factory.mktemp("signed")
    shop, billing = made / "shop", made / "billing"
    for folder, schema in ((shop, SENDS), (billing, TAKES)):
        folder.mkdir()
        git(folder, "init", "-q")
        (folder / "order.json").write_text(json.dumps(schema))
        (folder / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
        (folder / ".gitignore").write_text(".graphbus/\n")
    agree(shop, SENDS, TAKES, by_rule=True)
    commit(shop)
    pin = ["--show", "order.json", "--show", "records.jsonl", "--project"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        assert main(["contracts", "pin", "contracts#orders@1", "--as", "producer", *pin, str(shop)]) == 0
        assert main(["contracts", "pin", f"{shop}#orders@1", "--as", "consumer", *pin, str(billing)]) == 0
    commit(shop)
    return made


@pytest.fixture(scope="session")
def pinned_pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a shop and a billing, each a clone of a bare repository, each naming the other relatively.

    Made once: thirty runs of git, and three of our commands.
    """
    made = tmp_path_factory.mktemp("pinned")
    for name, schema in (("shop", SENDS), ("billing", TAKES)):
        folder = made / name
        folder.mkdir()
        git(made, "init", "-q", "--bare", f"{name}.git")
        git(folder, "init", "-q")
        git(folder, "remote", "add", "origin", f"../{name}.git")
        (folder / "order.json").write_text(json.dumps(schema))
        (folder / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
        (folder / ".gitignore").write_text(".graphbus/\n")
    shop, billing = made / "shop", made / "billing"
    agree(shop, SENDS, TAKES, by_rule=True)
    push(shop)
    pin = ["--show", "order.json", "--show", "records.jsonl", "--project"]
    words = ["contracts", "pin", "contracts#orders", "--as", "producer", "--peer", "../billing.git"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        assert main([*words, *pin, str(shop)]) == 0
        assert main(["contracts", "pin", "../shop.git#orders", "--as", "consumer", *pin, str(billing)]) == 0
    push(shop)
    push(billing)
    return made


@pytest.fixture
def clones(pinned_pair: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A shop and a billing of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(pinned_pair, tmp_path, symlinks=True, dirs_exist_ok=True)
    return tmp_path / "shop", tmp_path / "billing"
