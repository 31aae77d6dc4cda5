"""The graph follows the files: deleted, broken and mended, new ones in folders that held none, files that come back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphbus_core.errors import ScanError
from graphbus_core.services.queries.project import ProjectView

NODE = 'from graphbus_core import GraphBusNode\n\n\nclass {name}(GraphBusNode):\n    SYSTEM_PROMPT = "x"\n'


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    folder = tmp_path / "agents"
    folder.mkdir()
    for name in ("One", "Two", "Three"):
        (folder / f"{name.lower()}.py").write_text(NODE.format(name=name))
    return folder


def test_the_graph_follows_the_files(agents: Path, tmp_path: Path) -> None:
    """Each change is seen at the next look, also after a file was deleted."""
    view = ProjectView(agents, tmp_path / ".graphbus")

    def names() -> list[str]:
        return [agent.name for agent in view.look().agents]

    assert names() == ["One", "Three", "Two"]
    (agents / "one.py").unlink()
    assert names() == ["Three", "Two"]
    (agents / "two.py").unlink()
    assert names() == ["Three"]
    (agents / "one.py").write_text(NODE.format(name="Back"))
    assert names() == ["Back", "Three"]
    (agents / "sub" / "deep").mkdir(parents=True)
    assert names() == ["Back", "Three"]
    (agents / "sub" / "deep" / "n.py").write_text(NODE.format(name="Fresh"))
    assert names() == ["Back", "Fresh", "Three"]
    (agents / "three.py").write_text("def (:\n")
    for _ in range(2):
        with pytest.raises(ScanError):
            names()
    (agents / "three.py").unlink()
    assert names() == ["Back", "Fresh"]


def test_what_did_not_change_is_not_read_again(agents: Path, tmp_path: Path) -> None:
    """A second look costs no scan; a file replaced by one of the same length and time is seen all the same."""
    view = ProjectView(agents, tmp_path / ".graphbus")
    view.look()
    seen = view.look()
    assert view.look() is seen
    before = os.stat(agents / "one.py")
    (agents / "new").write_text(NODE.format(name="Won"))
    os.utime(agents / "new", ns=(before.st_atime_ns, before.st_mtime_ns))
    (agents / "new").replace(agents / "one.py")
    assert [agent.name for agent in view.look().agents] == ["Three", "Two", "Won"]
