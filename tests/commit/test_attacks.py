"""What was tried against the commit room, and once got through: forged words, links, files that go, half a recovery."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.commit import reversal
from graphbus_core.commit.batching import BatchMember, BatchVerdict, SharedRuns
from graphbus_core.commit.disk import RealDisk
from graphbus_core.commit.gates import imports, pytest_suite, verify
from graphbus_core.commit.gates.trial import GateStatus, report_tested
from graphbus_core.commit.transaction import JOURNAL, FileChange, TransactionResult, commit_changes, recover
from graphbus_core.editing.scope import EditScope
from graphbus_core.errors import LogDamaged
from graphbus_core.model.edit_outcome import Edited
from graphbus_core.sandbox.path_guard import PathGuard
from graphbus_core.sandbox.scratch import FileDigests, create_scratch_copy, find_changes_since
from tests.commit.projects import FILES, write


@pytest.mark.parametrize(
    ("whole", "forged", "says"),
    [
        (False, {}, "before its tests were over"),  # the list alone, printed by the change: once it landed
        (True, {}, "cannot be believed"),
        (False, {"decoy": "failed"}, ""),  # something else printed its last lines
    ],
)
def test_a_list_of_tests_is_believed_with_the_one_that_must_fail(
    whole: bool, forged: dict[str, str], says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Code of a change may print that every test passed, and end the run."""
    after = SimpleNamespace(
        ran=SimpleNamespace(stopped=False, output=""), whole=whole, ends={"t": "passed", "u": "passed", **forged}
    )
    monkeypatch.setattr(verify, "_run", lambda *_: None)
    monkeypatch.setattr(verify, "_build_run_report", lambda *_: {})
    monkeypatch.setattr(verify, "_keep_as_baseline", lambda *_: None)
    monkeypatch.setattr(pytest_suite, "read_outcome", lambda _: after)
    monkeypatch.setattr(pytest_suite, "put_decoy", lambda *_: "decoy")
    change = SimpleNamespace(copy=lambda _: nullcontext(tmp_path), applied=Edited({}, {}))
    stood = {"t": "passed", "u": "passed"}
    end, why, *_ = verify._compare_runs(cast(Any, change), ["t", "u"], stood, frozenset())
    assert end is (GateStatus.REFUSED if says else GateStatus.TESTED)
    assert says in why
    del after.ends["u"]
    after.ends["decoy"] = "failed"
    end, why, *_ = verify._compare_runs(cast(Any, change), ["t", "u"], stood, frozenset())
    assert ("tests that ran before did not run: u" in why, "before its tests were over: u" in why) == (whole, not whole)


@pytest.mark.parametrize(
    "text",
    [
        "import atexit\natexit.register(print, 'bye')\n",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n",
        "import sys\nprint('half a line', end='')\nsys.stdout.detach()\n",
    ],
    ids=["speaks at its end", "a thread that stays", "no standard output"],
)
def test_what_code_does_at_its_end_is_no_part_of_its_import(text: str, tmp_path: Path) -> None:
    """Such a module could once not be changed at all, or only after the bound in time."""
    (tmp_path / "a.py").write_text(text)
    asked = [sys.executable, "-c", imports._IMPORT, json.dumps([{"a": ("a.py", [])}, {}])]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["imported"])


def test_a_file_that_goes_is_not_in_the_copy(tmp_path: Path) -> None:
    """An empty one in its place would still be imported."""
    root = write(tmp_path / "p")
    after = {"agents/fetcher.py": b"", "agents/cleaner.py": b"x = 1\n"}
    with create_scratch_copy(root, Edited({}, after, removed=frozenset({"agents/fetcher.py"})).resulting_files) as copy:
        assert not (copy / "agents/fetcher.py").exists()
        assert (copy / "agents/cleaner.py").read_bytes() == b"x = 1\n"


def test_a_source_that_is_a_link_is_held_against_where_it_leads(tmp_path: Path) -> None:
    """It was taken for a file that is edited all the time, and nothing beside it could be committed."""
    root = write(tmp_path / "p", {**FILES, "shared/x.py": "X = 1\n", "shared/y.py": "X = 1\n"})
    link = root / "agents/linked.py"
    link.symlink_to("../shared/x.py")
    seen: FileDigests = {}
    with create_scratch_copy(root, {}, digests=seen) as copy:
        assert (copy / "agents/linked.py").read_text() == "X = 1\n"
    assert find_changes_since(root, seen, ["agents/linked.py"]) == []
    link.unlink()
    link.symlink_to("../shared/y.py")
    assert find_changes_since(root, seen, ["agents/linked.py"]) == ["agents/linked.py"]


@pytest.mark.parametrize(
    ("file", "text", "keeps"),
    [
        ("main.py", "import agents.fetcher\n", True),
        ("main.py", "def f():\n    from agents import fetcher\n", True),
        ("agents/more.py", "from .fetcher import Fetcher\n", True),
        ("main.py", "import fetcher.agents  # agents.fetcher\n", False),
        ("main.py", "from agents import fetcher, (\n", False),
    ],
)
def test_a_file_that_is_imported_by_now_is_not_taken_back(file: str, text: str, keeps: bool, tmp_path: Path) -> None:
    """Also from outside of the agents' folder, where no gate imports anything."""
    project = scan(write(tmp_path, {**FILES, file: text}) / "agents") if file == "main.py" else None
    project = project or scan(write(tmp_path, {**FILES, "agents/__init__.py": "", file: text}) / "agents")
    reach = EditScope(project)
    door = PathGuard(project.root, reach.editable_files)
    record: dict[str, Any] = {"files": {"agents/fetcher.py": {"created": True}}}
    why = reversal._explain_later_use((), record, project, door, reach)
    assert (
        why == f"agents/fetcher.py was made by this commit, and {file} imports it by now; change that first."
    ) is keeps
    assert reversal._explain_later_use((), {"files": {**record["files"], file: {}}}, project, door, reach) is None


@pytest.mark.parametrize(
    ("before", "after", "now", "undone"),
    [
        ("a: int | None\n", "a: int\n", "a: int | None\n", "a: int | None\n"),
        ("a\nb\nc\nd\n", "a\nc\n", "a\nb\nc\n", "a\nb\nc\nd\n"),
        ("f(a, b)\n", "f(a)\n", "f(a, c)\n", "f(a, b, c)\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nx\nc\n", "a\nb\nx\nc\n"),
    ],
)
def test_what_somebody_put_back_by_hand_is_not_put_back_twice(before: str, after: str, now: str, undone: str) -> None:
    assert reversal.revert_text(before.encode(), after.encode(), now.encode()) == undone.encode()


CUT = [FileChange(f"project/agents/{n}.py", b"old\n", b"new\n") for n in "abc"]


def to_link(file: Path) -> None:
    """As somebody who shares one file between two places."""
    file.rename(file.parent.parent / "moved.py")
    file.symlink_to("../moved.py")


def to_folder(file: Path) -> None:
    """A module that became a package."""
    file.unlink()
    file.mkdir()


def to_nothing(file: Path) -> None:
    """Folder and all."""
    file.parent.rename(file.parent.with_name("elsewhere"))


def to_linked_folder(file: Path) -> None:
    """The folder lies elsewhere, with a link in its place."""
    to_nothing(file)
    file.parent.symlink_to("elsewhere")


@pytest.mark.parametrize("becomes", [to_link, to_folder, to_nothing, to_linked_folder], ids=lambda f: f.__name__)
def test_a_commit_that_was_cut_off_is_settled_whatever_became_of_its_files(
    becomes: Callable[[Path], None], tmp_path: Path
) -> None:
    """Each of them once kept every later build from starting."""
    project, state = tmp_path / "p", tmp_path / "s"
    write(project, {f"agents/{n}.py": "old\n" for n in "abc"})
    state.mkdir()

    class Dies(RealDisk):
        swaps = 0

        def exchange(self, path: str, other: str) -> bool:
            if self.swaps == 2:
                raise KeyboardInterrupt
            self.swaps += 1
            return super().exchange(path, other)

    with pytest.raises(KeyboardInterrupt):
        commit_changes(Dies(project, state), CUT)
    assert (project / "agents/a.py").read_text() == "new\n"
    becomes(project / "agents/b.py")
    disk = RealDisk(project, state)
    if becomes in (to_nothing, to_linked_folder):
        with pytest.raises(LogDamaged, match="its folder agents is not where it was"):
            recover(disk, ["project/agents"])
        if becomes is to_linked_folder:
            (project / "agents").unlink()
        (project / "elsewhere").rename(project / "agents")
        assert recover(disk, ["project/agents"]) is TransactionResult.DONE
    else:
        assert recover(disk, ["project/agents"]) is TransactionResult.SUPERSEDED
        assert (project / "agents/b.py").is_symlink() is (becomes is to_link)
        assert [(project / f"agents/{n}.py").read_text() for n in "ac"] == ["old\n", "old\n"]
    assert disk.read(JOURNAL) is None
    assert not list((project / "agents").glob(".graphbus-*"))


def test_what_is_owed_is_asked_of_the_files_as_they_stand(tmp_path: Path) -> None:
    """A later commit may have changed them once more; its text was left out of the last run."""
    write(tmp_path, {"a.py": "third\n"})
    tried: list[Edited] = []

    def asked(about: Any, diff: Any, applied: Edited, door: Any, stack: Any) -> Any:
        tried.append(applied)
        config = SimpleNamespace(verify="true")
        return SimpleNamespace(applied=applied, config=config, scratch=None, word=lambda trial: report_tested())

    door = PathGuard(tmp_path, ["a.py", "b.py"])
    one, two = (
        BatchMember(f"p-{name}", (), Edited({f"{name}.py": b"first\n"}, {f"{name}.py": b"second\n"}), door)
        for name in "ab"
    )
    runs = SharedRuns(cast(Any, None), asked, BatchVerdict({}, (one, two), report_tested()))
    runs.note_landed("p-a")
    assert runs.verify_incomplete_batches() is None
    assert [(each.before, each.after) for each in tried] == [({"a.py": b"first\n"}, {"a.py": b"third\n"})]
    assert runs.verify_incomplete_batches() is None
    assert len(tried) == 1
