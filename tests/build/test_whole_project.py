"""`--root`: the whole project lies further up than the nearest marker, and what calls there counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphbus_core.analysis.scan import scan
from graphbus_core.build import build_project
from graphbus_core.cli.build.command import app as build
from graphbus_core.commit.engine import CommitEngine, undo_proposal
from graphbus_core.commit.history import find_undo_target
from graphbus_core.config import BuildConfig
from graphbus_core.errors import UsageError
from graphbus_core.inference import infer
from graphbus_core.services.validation import check_project

SHOP = """
from graphbus_core import GraphBusNode, schema_method


class Load(GraphBusNode):
    @schema_method(input_schema={"x": int}, output_schema={"qty": int})
    def load(self, x):
        return {"qty": x}


class Clean(GraphBusNode):
    @schema_method(input_schema={"qty": int}, output_schema={"n": int})
    def clean(self, qty):
        return {"n": qty}
"""
MAIN = """
import sys

sys.path.insert(0, "service")
from agents.shop import Clean, Load

print(Clean().clean(qty=Load().load(3)["qty"]))
"""
RENAME = {"op": "rename_field", "side": "input", "node": "Clean", "method": "clean", "field": "qty", "to": "number"}
LINK = ["Load.load => Clean.clean"]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A service with a `pyproject.toml` of its own, and a script beside it that puts it on its path."""
    files = {"service/pyproject.toml": "", "service/agents/shop.py": SHOP, "scripts/main.py": MAIN}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


def config(house: Path, whole: Path | None) -> BuildConfig:
    """A build of the service's agents."""
    root = str(whole) if whole is not None else None
    return BuildConfig(str(house / "service/agents"), output_dir=str(house / "out"), whole_project=root)


def test_build_validate_and_infer_see_the_same_links(house: Path) -> None:
    """The script's call is a link for each of them where the root is given, and for none where it is not."""
    agents = str(house / "service/agents")
    for whole, expected in ((house, LINK), (None, [])):
        root = str(whole) if whole is not None else None
        artifacts = build_project(config(house, whole))
        assert artifacts.linked is not None
        assert [one.id for one in artifacts.linked.links] == expected
        assert [one.id for one in check_project(agents, root=root).linked.links] == expected
        found = infer(agents, root=root).links
        assert [f"{one.producer} => {one.consumer}" for one in found] == expected


def test_a_use_beside_the_service_refuses_a_rename(house: Path) -> None:
    """With its line; and taking a commit back knows the same root."""
    about = {"proposal_id": "p-1", "diff": [RENAME], "proposer": "Clean"}
    given = config(house, house)
    with CommitEngine(scan(given.root_package).with_whole_folder(given.whole_project), given) as engine:
        receipt = engine.apply("commit", about)
        assert receipt["status"] == "failed"
        assert "scripts/main.py:7" in str(receipt)
        (house / "scripts/main.py").write_text("", "utf-8")
    with CommitEngine(scan(given.root_package).with_whole_folder(given.whole_project), given) as engine:
        assert engine.apply("commit", about)["status"] == "committed"
    assert find_undo_target(str(house / "out"), "p-1")["whole_project"] == str(house)
    assert undo_proposal(BuildConfig(".", output_dir=str(house / "out")), "p-1")[0]["status"] == "committed"
    assert (house / "service/agents/shop.py").read_text("utf-8") == SHOP


@pytest.mark.parametrize(("root", "why"), [("scripts", "does not hold"), ("nowhere", "is not a folder")])
def test_a_root_that_cannot_be_the_projects_is_said(house: Path, root: str, why: str) -> None:
    """By the command of a build too, with the code of bad usage."""
    agents = str(house / "service/agents")
    with pytest.raises(UsageError, match=why):
        check_project(agents, root=str(house / root))
    done = CliRunner().invoke(build, [agents, "--root", str(house / root), "-o", str(house / "out")])
    assert isinstance(done.exception, UsageError)
    assert why in str(done.exception)
