"""What code leaves in its copy of the project never reaches the user's files, and never speaks for a later gate."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from graphbus_core.analysis.scan import importing_reader as importing, scan
from graphbus_core.commit import CommitEngine
from graphbus_core.commit.gates import rehearsal
from graphbus_core.config import BuildConfig
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.sandbox import runner
from graphbus_core.sandbox.runner import Limits
from graphbus_core.sandbox.scratch import copy_tree, create_scratch_copy, is_secret
from graphbus_core.storage import private_folders
from graphbus_core.storage.private_folders import open_private_folder, remove_tree
from tests.commit.projects import FILES, about, engine, texts, write

confined = pytest.mark.skipif(runner.describe().kind == "limits", reason="no sandbox works here")


def method(code: str) -> dict[str, str]:
    """An operation whose code runs when the module is imported."""
    source = (
        f'@schema_method(input_schema={{"note": str}})\ndef extra(self, note, _x=exec({code!r})):\n    return None\n'
    )
    return {"op": "add_method", "node": "Cleaner", "method": "extra", "source": source}


@confined
@pytest.mark.parametrize("kind", ["prepare", "commit"])
def test_a_link_that_code_leaves_in_its_copy_leads_nowhere(kind: str, tmp_path: Path) -> None:
    """Every name that a gate could write or read later is made a link to a file of the user, in every gate."""
    root, victim = write(tmp_path / "p"), tmp_path / "bashrc"
    victim.write_text("precious\n")
    code = (
        "import os\n"
        "names = ['.graphbus-rehearsal.json', 'agents/fetcher.py', 'agents/cleaner.py', 'agents/formatter.py']\n"
        "for name in names:\n"
        "    try:\n"
        "        if os.path.lexists(name): os.unlink(name)\n"
        f"        os.symlink({str(victim)!r}, name)\n"
        "    except OSError: pass\n"
    )
    config = BuildConfig(str(root / "agents"), output_dir=str(root / ".graphbus"), verify="true")
    with CommitEngine(scan(root / "agents"), config, limits=Limits(timeout_s=10), rehearse=True) as commits:
        receipt = commits.apply(kind, about("p-1", method(code)))
    assert receipt["status"] in ("prepared", "committed"), receipt
    assert victim.read_text() == "precious\n"


@confined
def test_the_import_gate_cannot_change_the_tests_of_the_verify_gate(tmp_path: Path) -> None:
    """Each gate has a copy of its own."""
    root = write(tmp_path / "p", {**FILES, "check.sh": "exit 1\n"})
    with engine(root, verify="sh check.sh") as commits:
        receipt = commits.apply("prepare", about("p-1", method("open('check.sh', 'w').write('exit 0')")))
    assert (receipt["status"], receipt["gate"]) == ("failed", "verify")


@pytest.mark.parametrize("told", ['[["x"]]', "[1]", '{"a": 1}', "[[[]]]", "[" * 100_000, "[[1, 2]]"])
def test_nonsense_that_code_writes_in_the_place_of_findings_is_none(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs in the sandbox may write anything on its output."""
    monkeypatch.setattr(runner, "run", lambda *_, **__: runner.RunResult(0, told, None, 0.0))
    monkeypatch.setattr(rehearsal, "build_import_path", lambda *_: [])
    made = [{"payloads": [{}, {}]}]

    class Side:
        root = Path("/")

    with open_private_folder("test") as folder:
        side = (Side(), lambda: nullcontext(folder))
        assert rehearsal._run(side, made, Limits()) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_an_import_that_answers_with_no_file_is_not_waited_for(make: Callable[[Path], None], tmp_path: Path) -> None:
    """The reader of contracts asks a child that runs the project's code."""
    make(tmp_path / "answer.json")
    with pytest.raises((ValueError, OSError)):
        importing._read_answers(tmp_path / "answer.json")


# ---- taking folders away


def test_taking_a_folder_away_changes_nothing_outside_of_it(tmp_path: Path) -> None:
    """Neither what links point to nor its rights; deep trees and shut folders go as well. As a user who is not root,
    because root needs no rights."""
    victim = tmp_path / "victim"
    victim.write_text("x")
    victim.chmod(0o640)
    top = Path(tempfile.mkdtemp(prefix="graphbus-test-"))
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.getuid() == 0:
                for path in (victim, top):
                    os.chown(path, 65534, 65534)
                os.setuid(65534)
            shut = top / "project" / "shut"
            shut.mkdir(parents=True)
            os.symlink(victim, shut / "link")
            os.symlink(tmp_path, shut / "folder")
            os.chdir(top / "project")
            for _ in range(1500):
                os.mkdir("d")
                os.chdir("d")
            os.chdir("/")
            shut.chmod(0o500)
            (top / "project").chmod(0)
            remove_tree(top)
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert not top.exists()
    assert victim.read_text() == "x"
    assert stat.S_IMODE(victim.stat().st_mode) == 0o640


def test_only_its_owner_can_look_into_a_copy(tmp_path: Path) -> None:
    """A project may be secret to others of this machine."""
    with create_scratch_copy(write(tmp_path / "p"), {}) as copy:
        assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(copy.stat().st_mode) == 0o700


def test_what_a_killed_process_left_is_swept_and_what_is_in_use_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the lock that dies with its owner."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    program = (
        "import time\nfrom graphbus_core.storage.private_folders import open_private_folder\n"
        "with open_private_folder('copy') as f:\n    (f / 'x').write_text('x'); print(f, flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(tmp_path)}
    ) as child:
        assert child.stdout is not None
        left = Path(child.stdout.readline().strip())
        old = time.time() - 1000
        os.utime(left, (old, old))
        private_folders.remove_stale_folders.__wrapped__()
        assert left.exists()
        child.kill()
    os.utime(left, (old, old))
    other = tmp_path / "graphbus-private-not-a-folder"
    other.symlink_to(tmp_path)
    private_folders.remove_stale_folders.__wrapped__()
    assert not left.exists()
    assert other.is_symlink()


def test_a_folder_that_is_gone_is_no_fault(tmp_path: Path) -> None:
    """Taking away is idempotent, and never takes the neighbour."""
    (tmp_path / "another").mkdir()
    remove_tree(tmp_path / "none")
    assert os.listdir(tmp_path) == ["another"]


# ---- what a copy holds


def test_hidden_files_and_secrets_stay_out(tmp_path: Path) -> None:
    """Code that nobody has reviewed reads neither keys nor histories; what the graph holds is always there."""
    names = [".env", ".netrc", ".git-credentials", ".npmrc", "server.pem", "id_rsa", "credentials.json", "prod.env"]
    root = write(tmp_path / "p", {**FILES, "data.json": "{}", "secrets.py": "X = 1\n", **dict.fromkeys(names, "k")})
    copy_tree(root, tmp_path / "copy", keep=["agents/cleaner.py", "prod.env"])
    found = {p.relative_to(tmp_path / "copy").as_posix() for p in (tmp_path / "copy").rglob("*") if p.is_file()}
    assert found == {*FILES, "data.json", "secrets.py", "prod.env"}
    assert not is_secret("keys.py")


def test_a_node_in_a_folder_that_is_mostly_build_output_is_copied(tmp_path: Path) -> None:
    """`agents/build/` is left out only where the graph has nothing in it."""
    moved = {path.replace("agents/", "agents/build/"): text for path, text in FILES.items()}
    root = write(tmp_path / "p", {**moved, "build/lib/x.py": "x = 1\n"})
    add = {"op": "add_field", "node": "Cleaner", "method": "clean", "side": "output", "field": "n", "type": "int"}
    with engine(root) as commits:
        receipt = commits.apply("prepare", about("p-1", {**add, "default": "1"}))
    assert receipt["status"] == "prepared", receipt
    copy_tree(root, tmp_path / "copy", keep=moved)
    assert not (tmp_path / "copy" / "build").exists()


def test_of_a_home_only_the_project_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`graphbus build agents` in the home folder."""
    root = write(tmp_path / "p", {**FILES, "letters/private.txt": "x", "diary.txt": "x"})
    monkeypatch.setenv("HOME", str(root))
    copy_tree(root, tmp_path / "copy", keep=FILES)
    assert sorted(p.name for p in (tmp_path / "copy").iterdir()) == ["agents"]


def test_a_full_disk_for_copies_ends_the_gate_and_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the build, and not with a raw error."""
    root = write(tmp_path / "p")
    before = texts(root)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("graphbus_core.sandbox.scratch._copy_file", full)
    with pytest.raises(Refusal, match="TMPDIR"), create_scratch_copy(root, {}):
        pass
    add = {"op": "add_field", "node": "Cleaner", "method": "clean", "side": "output", "field": "n", "type": "int"}
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", {**add, "default": "1"}))
    assert (receipt["status"], receipt["gate"]) == ("failed", "limits")
    assert "No space left" in receipt["reason"]
    assert texts(root) == before
