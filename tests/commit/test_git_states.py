"""`--git` refuses where a commit of ours would get lost or mixed; without bubblewrap root loses its powers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graphbus_core.analysis import contract_history
from graphbus_core.cli.main import main
from graphbus_core.commit import git
from graphbus_core.sandbox import runner

AGENTS = """from typing import Annotated

from graphbus_core import Alias, GraphBusNode, depends_on, schema_method

class A(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"userId": str})
    def get(self):
        return {"userId": "ann"}

class B(GraphBusNode):
    @depends_on("A.get")
    @schema_method(input_schema={"user_id": Annotated[str, Alias("userId")]}, output_schema={"n": str})
    def use(self, user_id):
        return {"n": user_id}
"""


def run(root: Path, *words: str, fails: bool = False) -> None:
    """One git command in the repository."""
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, *words], cwd=root, capture_output=True, text=True, check=False)
    assert fails == (done.returncode != 0), done.stderr or done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two branches that change one line each in their way, and an agent."""
    run(tmp_path, "init", "--quiet", "-b", "main")
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents/a.py").write_text(AGENTS)
    (tmp_path / "text").write_text("one\n")
    run(tmp_path, "config", "user.name", "t")
    run(tmp_path, "config", "user.email", "t@example.org")
    run(tmp_path, "add", ".")
    run(tmp_path, "commit", "--quiet", "-m", "first")
    run(tmp_path, "checkout", "--quiet", "-b", "other")
    (tmp_path / "text").write_text("two\n")
    run(tmp_path, "commit", "--quiet", "-am", "theirs")
    run(tmp_path, "checkout", "--quiet", "main")
    (tmp_path / "text").write_text("three\n")
    run(tmp_path, "commit", "--quiet", "-am", "ours")
    return tmp_path


STATES: dict[str, Callable[[Path], None]] = {
    "a merge is under way": lambda root: run(root, "merge", "other", fails=True),
    "a rebase is under way": lambda root: run(root, "rebase", "other", fails=True),
    "a cherry-pick is under way": lambda root: run(root, "cherry-pick", "other", fails=True),
    "HEAD is detached": lambda root: run(root, "checkout", "--quiet", "--detach"),
}


def build(root: Path, *more: str) -> int:
    """A build with rules that commits to git."""
    given = ["build", str(root / "agents"), "--output-dir", str(root / ".graphbus"), "--enable-agents", "--git"]
    return main([*given, "--model", "rules", *more])


@pytest.mark.parametrize("state", STATES)
def test_a_repository_in_the_middle_of_something_is_refused(
    state: str, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anybody negotiates, with what is under way; no file is changed and no commit made."""
    STATES[state](repository)
    head = git._run_git(repository, "rev-parse", "HEAD")
    assert build(repository, "--allow-dirty") == 2
    assert state in capsys.readouterr().err
    assert git._run_git(repository, "rev-parse", "HEAD") == head
    assert (repository / "agents/a.py").read_text() == AGENTS


def test_a_line_of_the_users_own_is_not_taken_along(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file with lines that are not committed stays out of a commit of ours, also with --allow-dirty."""
    mine = AGENTS + "# mine, not committed\n"
    (repository / "agents/a.py").write_text(mine)
    head = git._run_git(repository, "rev-parse", "HEAD")
    assert build(repository) == 2
    assert "--allow-dirty" in capsys.readouterr().err
    assert build(repository, "--allow-dirty") == 1
    assert git._run_git(repository, "rev-parse", "HEAD") == head
    assert "stash them first" in capsys.readouterr().err


@pytest.mark.parametrize("state", ["a merge is under way", "HEAD is detached"])
def test_what_begins_while_the_gates_run_gets_no_commit_of_ours(state: str, repository: Path) -> None:
    """The gates take minutes. The files are written by then; the branch and the index are as they were."""
    (repository / "agents/a.py").write_text(AGENTS + "# ours\n")
    STATES[state](repository)
    head, staged = (git._run_git(repository, *words) for words in (("rev-parse", "HEAD"), ("diff", "--cached")))
    with pytest.raises(OSError, match=state):
        git.commit_files(repository, ["agents/a.py"], {"proposal_id": "p-1"})
    assert git._run_git(repository, "rev-parse", "HEAD") == head
    assert git._run_git(repository, "diff", "--cached") == staged


def test_a_file_that_git_ignores_gets_no_commit(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was written and nothing was said; and of two files, the other one was left staged."""
    (repository / ".gitignore").write_text("mine.py\n")
    assert git.list_ignored(repository, ["agents/a.py", "text"]) == []
    assert git.list_ignored(repository, ["agents/a.py", "agents/mine.py"]) == ["agents/mine.py"]
    (repository / "agents/mine.py").write_text("x = 1\n")
    (repository / "agents/a.py").write_text(AGENTS + "# ours\n")
    with pytest.raises(OSError, match="ignored"):
        git.commit_files(repository, ["agents/a.py", "agents/mine.py"], {"proposal_id": "p-1"})
    assert git._run_git(repository, "diff", "--cached", "--name-only") == ""
    git._run_git(repository, "rm", "--quiet", "--cached", "agents/a.py")
    run(repository, "commit", "--quiet", "-m", "without")
    (repository / ".gitignore").write_text("agents/\n")
    assert build(repository, "--allow-dirty") == 1
    assert "git ignores it" in capsys.readouterr().err


def test_a_clean_branch_gets_a_commit(repository: Path) -> None:
    """One commit, of that file alone."""
    assert build(repository) == 0
    assert git._run_git(repository, "show", "--name-only", "--format=", "HEAD").split() == ["agents/a.py"]
    assert "(accept)" in git._run_git(repository, "show", "--format=%(trailers:key=Evaluated-by)", "HEAD")


def test_a_commit_that_git_refuses_is_said_and_nothing_stays_staged(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The files are written, and git has nothing of them: a finding, and an index as it was."""
    head = git._run_git(repository, "rev-parse", "HEAD")
    (repository / ".git/COMMIT_EDITMSG").unlink()
    (repository / ".git/COMMIT_EDITMSG").mkdir()  # as a full disk, or another owner's file
    assert build(repository) == 1
    said = capsys.readouterr()
    assert "the git commit failed: git commit:" in said.out, said
    assert "note: the git commit failed" in said.err
    assert git._run_git(repository, "rev-parse", "HEAD") == head
    assert git._run_git(repository, "diff", "--cached", "--name-only") == ""
    assert git._run_git(repository, "diff", "--name-only").split() == ["agents/a.py"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root has powers to lose")
@pytest.mark.skipif(runner.describe("namespaces").kind != "namespaces", reason="no namespaces here")
def test_without_bubblewrap_root_has_no_powers_left(tmp_path: Path) -> None:
    """It cannot set the clock, and its sets of capabilities are empty, the bounding set with them."""
    code = (
        "import time\n"
        "sets = [l.split() for l in open('/proc/self/status') if l.startswith('Cap')]\n"
        "print(sorted(name for name, held in sets if int(held, 16)))\n"
        "try:\n    time.clock_settime(time.CLOCK_REALTIME, time.time())\n    print('set')\n"
        "except PermissionError:\n    print('refused')\n"
    )
    ran = runner.run([sys.executable, "-I", "-c", code], tmp_path, kind="namespaces")
    assert ran.output.split("\n")[:2] == ["[]", "refused"]


def test_a_hook_of_another_repository_does_not_lead_git_there(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git runs hooks with GIT_DIR and GIT_INDEX_FILE set. What is asked of a folder is asked of its own repository."""
    other = tmp_path_factory.mktemp("other")
    run(other, "init", "-q")
    head = contract_history.resolve_commit(repository, "HEAD")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    assert contract_history.resolve_commit(repository, "HEAD") == head
    assert git.find_obstacle(repository) is None
