"""Every way out of the project that is known from other tools stays shut."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.edit_outcome import Refused
from graphbus_core.model.operation import AddImport
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.sandbox.path_guard import PathGuard, explain_forbidden

HOSTILE = [
    "../evil.py",
    "agents/../../evil.py",
    "agents/./a.py",
    "agents//a.py",
    "/etc/passwd.py",
    "/tmp/evil.py",
    "C:/evil.py",
    "agents\\a.py",
    "agents/a\0.py",
    "agents/a\n.py",
    "",
    ".",
    "..",
    "~/evil.txt",
    ".git/hooks/pre-commit",
    ".git/config.py",
    ".GIT/x.py",
    ".ｇｉｔ/x.py",
    ".graphbus/agents.py",
    ".Graphbus/x.py",
    "sub/.git/x.py",
    "conftest.py",
    "Conftest.py",
    "CONFTEST.PY",
    "conftest.py.",
    "ｃonftest.py",
    "tests/conftest.py",
    "x.pth",
    "site-packages/x.py",
    "__pycache__/x.py",
    "pyproject.toml",
    "setup.py",
    "Setup.py",
    "sitecustomize.py",
    "usercustomize.py",
    "noxfile.py",
    ".github/workflows/ci.py",
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".circleci/config.py",
    "Jenkinsfile",
    "Makefile",
    "azure-pipelines.yml",
    "agents/a.txt",
    "agents/a.py/",
    "agents/.hidden.py",
    "a" * 2000 + ".py",
]


@pytest.mark.parametrize("path", HOSTILE)
def test_a_hostile_path_is_refused_even_where_the_graph_holds_it(path: str, tmp_path: Path) -> None:
    """The text alone is enough."""
    assert explain_forbidden(path) is not None
    assert PathGuard(tmp_path, [path]).read_file(path) is None


def test_links_and_hard_links_are_refused(tmp_path: Path) -> None:
    """A link, a dangling link, a linked folder, a second name, a folder, a pipe, a file outside of the graph."""
    project, other = tmp_path / "proj", tmp_path / "proj-evil"
    for folder in (project / "agents", other):
        folder.mkdir(parents=True)
    (other / "b.py").write_text("x = 1\n")
    (project / "agents" / "a.py").write_text("x = 1\n")
    (project / "agents" / "link.py").symlink_to(other / "b.py")
    (project / "agents" / "dangling.py").symlink_to(other / "none.py")
    (project / "linked").symlink_to(other)
    (project / "agents" / "inside.py").symlink_to("a.py")
    os.link(other / "b.py", project / "agents" / "hard.py")
    (project / "agents" / "folder.py").mkdir()
    os.mkfifo(project / "agents" / "pipe.py")
    names = [
        "agents/link.py",
        "agents/dangling.py",
        "linked/b.py",
        "agents/inside.py",
        "agents/hard.py",
        "agents/folder.py",
        "agents/pipe.py",
        "agents/none.py",
        "agents/A.py",
    ]
    door = PathGuard(project, ["agents/a.py", *names])
    assert {name: door.explain_refusal(name) is not None for name in names} == dict.fromkeys(names, True)
    assert door.explain_refusal("agents/a.py") is None
    assert PathGuard(project, ["agents/a.py"]).explain_refusal("agents/link.py") is not None
    assert PathGuard(project, []).explain_refusal("agents/a.py") is not None
    assert (other / "b.py").read_text() == "x = 1\n"


@pytest.mark.parametrize("path", HOSTILE)
def test_an_agent_that_claims_a_hostile_file_cannot_have_it_edited(path: str, tmp_path: Path) -> None:
    """The applicator reads through the door alone."""
    agent = AgentDefinition("A", "a", "A", path, "", SystemPrompt(""))
    diff = [AddImport(node="A", statement="import os")]
    assert isinstance(DiffApplicator(PathGuard(tmp_path, [path]).read_file, [agent], [path]).apply(diff), Refused)
