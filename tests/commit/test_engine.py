"""From an agreed diff to proven source, or nothing at all."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
from pathlib import Path

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.errors import Locked, UsageError
from graphbus_core.negotiation.proposal.negotiation_log import DRY_NOTE
from graphbus_core.negotiation.proposal.project_view import compute_symbol_digests
from graphbus_core.sandbox import runner
from graphbus_core.sandbox.runner import Limits
from tests.commit.projects import CLEAN, CLEANER, FETCH, FILES, RENDER, about, engine, texts, write

confined = pytest.mark.skipif(runner.describe().kind == "limits", reason="no sandbox works here")
ADD = {"op": "add_field", **CLEAN, "side": "output", "field": "count", "type": "int", "default": "7"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "project")


def test_a_commit_changes_its_span_and_tells_what_it_did(root: Path) -> None:
    """The receipt holds the hashes, the diff and the agents that changed; the rest is as it was."""
    before = texts(root)
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", ADD))
    assert (receipt["status"], receipt["files"]) == ("committed", ["agents/cleaner.py"])
    after = texts(root)
    assert {p for p in before if before[p] != after[p]} == {"agents/cleaner.py"}
    assert after["agents/cleaner.py"] == before["agents/cleaner.py"].replace(
        '{"items": list[str]}', '{"items": list[str], "count": int}'
    ).replace("for h in headlines if h]}", 'for h in headlines if h], "count": 7}')
    assert '+        output_schema={"items": list[str], "count": int},  # what is left' in receipt["unified_diff"]
    assert set(receipt["agents"]) == {"Cleaner"}
    assert json.loads(json.dumps(receipt)) == receipt
    assert receipt["before"] != receipt["after"]


def test_the_same_effect_again_changes_nothing_and_says_the_same(root: Path) -> None:
    """A crash after the commit and before the log: the receipt is found again."""
    with engine(root) as commits:
        first = commits.apply("commit", about("p-1", ADD))
    after = texts(root)
    with engine(root) as commits:
        assert json.dumps(commits.apply("commit", about("p-1", ADD))) == json.dumps(first)  # also in its bytes
    assert texts(root) == after


def test_prepare_and_dry_run_write_nothing(root: Path) -> None:
    """The diff is shown, every gate has spoken, and in a dry run one commit builds on the other."""
    before = texts(root)
    rename = {"op": "rename_field", **CLEAN, "side": "output", "field": "count", "to": "number"}
    with engine(root) as commits:
        assert commits.apply("prepare", about("p-1", ADD))["status"] == "prepared"
    with engine(root, dry_run=True) as commits:
        first = commits.apply("commit", about("p-1", ADD))
        assert (first["status"], first["notes"][-1:]) == ("committed", [DRY_NOTE])
        second = commits.apply("commit", about("p-2", rename))
        assert second["status"] == "committed"
        assert "number" in second["unified_diff"]
    assert texts(root) == before
    assert not (root / ".graphbus" / "undo").exists()


def test_a_second_build_waits_outside(root: Path) -> None:
    """It is told who holds the lock."""
    with engine(root), pytest.raises(Locked, match=f"process {os.getpid()}"):
        engine(root).__enter__()
    with engine(root):
        pass


# ---- gates


def failed(root: Path, *diff: dict, gate: str, says: str, **config: object) -> str:  # type: ignore[type-arg]
    before = texts(root)
    with engine(root, **config) as commits:  # type: ignore[arg-type]
        receipt = commits.apply("commit", about("p-1", *diff))
    assert receipt["status"] == "failed", receipt
    assert receipt["gate"] == gate, receipt["reason"]
    assert says in receipt["reason"], receipt["reason"]
    assert texts(root) == before
    assert not list((root / ".graphbus").glob("**/p-1.json"))
    return str(receipt["reason"])


@pytest.mark.usefixtures("without_types")
def test_a_proposal_that_declares_one_field_and_changes_two_is_refused_by_name(tmp_path: Path) -> None:
    """A contract shared by two methods changes both."""
    shared = CLEANER.replace('input_schema={"headlines": list[str]}', "input_schema=SHAPE").replace(
        "\n\nclass Cleaner", '\nSHAPE = {"headlines": list[str]}\n\n\nclass Cleaner', 1
    )
    shared += (
        '\n    @schema_method(input_schema=SHAPE, output_schema={"n": int})\n'
        '    def count(self, **given):\n        return {"n": 1}\n'
    )
    root = write(tmp_path / "p", {**FILES, "agents/cleaner.py": shared})
    one = {"op": "retype_field", **CLEAN, "side": "input", "field": "headlines", "type": "list[str] | dict[str, int]"}
    failed(root, one, gate="contracts", says="Cleaner.count.input.headlines")
    two = {**one, "method": "count"}
    with engine(root) as commits:
        assert commits.apply("commit", about("p-2", one, two))["status"] == "committed"


def test_a_proposal_that_breaks_a_consumer_is_refused_with_a_counterexample(root: Path) -> None:
    """The payload that proves it is in the reason."""
    drop = {"op": "rename_field", **CLEAN, "side": "output", "field": "items", "to": "rows"}
    why = failed(root, drop, gate="mismatches", says="Cleaner.clean => Formatter.render")
    assert '{"rows": []}' in why
    assert "--allow-mismatches" not in why, "it was looked at, and not left out"
    follow = {"op": "rename_field", **RENDER, "side": "input", "field": "items", "to": "rows"}
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-2", drop, follow))
    assert receipt["files"] == ["agents/cleaner.py", "agents/formatter.py"]
    assert "def render(self, rows):" in texts(root)["agents/formatter.py"]


@pytest.mark.parametrize(
    ("diff", "gate", "says"),
    [
        ({**ADD, "node": "Cleanr"}, "applies", "the nearest are Cleaner"),
        ({**ADD, "method": "claen"}, "applies", "the nearest are clean"),
        ({**ADD, "op": "add_feild"}, "applies", "known are add_field"),
        ({"op": "remove_field", **CLEAN, "side": "output", "field": "itms"}, "applies", "the nearest are items"),
        ({**ADD, "type": "__import__('os')"}, "applies", "is not a type"),
        ({**ADD, "default": "headlinez"}, "applies", "which is not known here"),
        ({"op": "replace_body", **CLEAN, "body": "return {\n"}, "applies", "does not parse"),
        ({"op": "replace_body", **CLEAN, "body": "await x"}, "parses", "outside"),
        ({"op": "replace_body", **CLEAN, "body": "self.publish('/New', {})\nnonlocal q"}, "parses", "nonlocal"),
        (
            {"op": "add_import", "node": "Cleaner", "statement": "import requests"},
            "applies",
            "new dependencies are off",
        ),
        (
            {"op": "add_import", "node": "Cleaner", "statement": "from json import nothing_here"},
            "imports",
            "ImportError",
        ),
    ],
)
@pytest.mark.usefixtures("without_types")
def test_a_gate_says_why_and_the_files_are_as_before(root: Path, diff: dict, gate: str, says: str) -> None:  # type: ignore[type-arg]
    """With the nearest names where a name is wrong."""
    failed(root, diff, gate=gate, says=says)


def test_limits_and_protected_files(root: Path) -> None:
    """The most files of a commit, of a build, and what may never be touched."""
    both = [
        {"op": "add_field", **FETCH, "side": "output", "field": "n", "type": "int"},
        {"op": "add_field", **CLEAN, "side": "output", "field": "n", "type": "int"},
    ]
    with engine(root) as commits:
        for limits, says in (
            ({"max_file_changes_per_commit": 1}, "changes 2 files"),
            ({"max_total_file_changes": 3, "files_changed": ["a.py", "b.py"]}, "at most 3"),
            ({"protected_files": ["agents/fetch*"]}, "agents/fetcher.py is protected"),
        ):
            receipt = commits.apply("commit", about("p-1", *both, limits=limits))
            assert (receipt["status"], receipt["gate"]) == ("failed", "limits")
            assert says in receipt["reason"]


@confined
@pytest.mark.parametrize(
    ("code", "ends"),
    [
        ("import socket; socket.create_connection(('127.0.0.1', 9), 1)", "import"),
        ("import os; open(os.path.expanduser('~/.ssh/id_rsa')).read()", "import"),
        ("import os\nfor i in range(10**9):\n    try: os.fork()\n    except OSError: pass", "stopped"),
        ("while True: pass", "stopped"),
        ("x = bytearray(10 << 30)", "import"),
        ("import os; os._exit(0)", "import"),
    ],
    ids=["network", "ssh", "fork bomb", "endless loop", "10 GB", "exit"],
)
def test_hostile_code_ends_as_a_failed_commit_within_its_limit(root: Path, code: str, ends: str) -> None:
    """In the import gate: a default in a signature is evaluated when the class is made."""
    method = f"def added(self, x=exec({code!r})):\n    return x"
    limits = Limits(timeout_s=2, memory_mb=500, processes=24)
    before = texts(root)
    with engine(root, limits=limits) as commits:
        receipt = commits.apply(
            "commit", about("p-1", {"op": "add_method", "node": "Cleaner", "method": "added", "source": method})
        )
    assert (receipt["status"], receipt["gate"]) == ("failed", "imports")
    assert ends in receipt["reason"]
    assert texts(root) == before


@confined
@pytest.mark.usefixtures("without_types")
def test_the_users_own_command_is_binding_and_its_output_is_kept(root: Path) -> None:
    """It runs in the copy, and cannot reach the project."""
    (root / "test_it.py").write_text(
        "from agents.cleaner import Cleaner\n\n"
        "def test_keeps():\n    assert Cleaner().clean(headlines=['a', ''])['items'] == ['a']\n\n"
        "if __name__ == '__main__':\n    test_keeps()\n"
    )
    body = {"op": "replace_body", **CLEAN, "body": 'return {"items": []}'}
    before = texts(root)
    with engine(root, verify="auto", verify_timeout_s=60) as commits:
        receipt = commits.apply("commit", about("p-1", body))
        assert (receipt["status"], receipt["gate"]) == ("failed", "verify")
        assert "test_keeps" in receipt["verify"]["output"]
        assert texts(root) == before
    with engine(root, verify="python test_it.py", verify_timeout_s=60) as commits:
        good = commits.apply("commit", about("p-2", ADD))
        assert good["status"] == "committed"
        assert good["verify"]["returncode"] == 0
    with engine(root, verify="echo owned > agents/cleaner.py; sleep 30", verify_timeout_s=1) as commits:
        whole = {**body, "body": 'return {"items": [], "count": 0}'}  # with the field that p-2 added
        receipt = commits.apply("commit", about("p-3", whole))
    assert receipt["gate"] == "verify"
    assert "too much time" in receipt["reason"]
    assert "owned" not in texts(root)["agents/cleaner.py"]


# ---- the user


def test_a_symbol_edited_meanwhile_supersedes_and_another_does_not(root: Path) -> None:
    """Digests are per symbol."""
    base = {k: v for a in scan(root / "agents").agents for k, v in compute_symbol_digests(a).items()}
    file = root / "agents" / "cleaner.py"
    with engine(root) as commits:
        file.write_text(file.read_text().replace('return event["url"]', 'return event["url"] + "!"'))
        other = commits.apply("commit", about("p-1", ADD, base={"Cleaner.clean": base["Cleaner.clean"]}))
        assert other["status"] == "committed"
        assert '+ "!"' in file.read_text()
        again = commits.apply(
            "commit", about("p-2", {**ADD, "field": "n"}, base={"Cleaner.clean": base["Cleaner.clean"]})
        )
        assert again["status"] == "superseded"
        assert "Cleaner.clean" in again["reason"]


@confined
def test_an_edit_while_the_gates_run_is_never_lost(root: Path) -> None:
    """The commit is superseded when it comes to write."""
    file = root / "agents" / "cleaner.py"
    with engine(root) as commits:
        write = commits._write

        def edit_and_write(*args: object, **more: object) -> object:
            file.write_text(file.read_text() + "# mine\n")
            return write(*args, **more)  # type: ignore[arg-type]

        commits._write = edit_and_write  # type: ignore[method-assign,assignment]
        receipt = commits.apply("commit", about("p-1", ADD))
    assert receipt["status"] == "superseded"
    assert file.read_text() == CLEANER + "# mine\n"


def test_git_makes_one_commit_with_trailers_and_touches_nothing_else(root: Path) -> None:
    """It refuses a dirty tree unless told; the index and other files stay as they are."""

    def git(*args: str) -> str:
        done = subprocess.run(["git", "-C", str(root), *args], capture_output=True, text=True, check=True)
        return done.stdout

    git("init", "-q", "-b", "trunk")
    git("config", "user.email", "t@example.org")
    git("config", "user.name", "T")
    (root / ".gitignore").write_text(".graphbus/\n")
    git("add", "-A")
    git("commit", "-qm", "start")
    fetcher = root / "agents" / "fetcher.py"
    fetcher.write_text(fetcher.read_text() + "# mine\n")
    with pytest.raises(UsageError, match="--allow-dirty"):
        engine(root, git_commit=True).__enter__()
    git("add", "agents/fetcher.py")
    more = {
        "summary": "Count what is left",
        "rationale": "Formatter wants it.",
        "evaluators": ["Formatter"],
        "evaluations": [{"evaluator": "Formatter", "decision": "accept"}],
        "consensus": "unanimous",
    }
    with engine(root, git_commit=True, allow_dirty=True) as commits:
        assert commits.apply("commit", about("p-1", ADD, **more))["status"] == "committed"
        commits.apply("commit", about("p-1", ADD, **more))
    assert git("log", "--format=%s").split("\n")[:2] == ["Count what is left", "start"]
    assert git("log", "-1", "--format=%(trailers)").strip().splitlines() == [
        "Proposal: p-1",
        "Proposed-by: Cleaner",
        "Evaluated-by: Formatter (accept)",
        "Decision: unanimous",
    ]
    assert git("show", "--stat", "--format=", "HEAD").count("|") == 1
    assert git("diff", "--cached", "--name-only").split() == ["agents/fetcher.py"]


# ---- undo

TEN = [
    {"op": "add_field", **FETCH, "side": "output", "field": "n1", "type": "int", "default": "1"},
    {"op": "add_field", **FETCH, "side": "output", "field": "n2", "type": "int", "optional": True},
    {
        "op": "add_field",
        **CLEAN,
        "side": "output",
        "field": "n3",
        "type": "str",
        "default": '"x"',
        "description": "three",
    },
    {"op": "add_field", **CLEAN, "side": "input", "field": "n4", "type": "int", "optional": True},
    {"op": "rename_field", **RENDER, "side": "output", "field": "digest", "to": "text"},
    {"op": "set_optional", **RENDER, "side": "input", "field": "items", "optional": True},
    {"op": "retype_field", **CLEAN, "side": "input", "field": "headlines", "type": "list[str] | dict[str, int]"},
    {"op": "add_method", "node": "Formatter", "method": "extra", "source": "def extra(self):\n    return 1"},
    {"op": "add_import", "node": "Fetcher", "statement": "import json"},
    {"op": "replace_body", "node": "Cleaner", "method": "on_raw", "body": "return None"},
]


@pytest.mark.parametrize("seed", range(int(os.environ.get("GRAPHBUS_UNDO_ORDERS", "2"))))
@pytest.mark.usefixtures("without_types")
def test_undo_of_ten_commits_in_any_order_restores_exactly(root: Path, seed: int) -> None:
    """After each undo the project is byte for byte what it would be had that proposal never been."""
    import random

    before = texts(root)
    order = list(range(10))
    random.Random(seed).shuffle(order)
    with engine(root) as commits:
        for i, op in enumerate(TEN):
            receipt = commits.apply("commit", about(f"p-{i}", op))
            assert receipt["status"] == "committed", receipt["reason"]
        for i in order:
            receipt = commits.undo(f"p-{i}")
            assert receipt["status"] == "committed", (i, receipt["gate"], receipt["reason"])
        with pytest.raises(UsageError, match="taken back already"):
            commits.undo("p-3")
    assert texts(root) == before


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(range(4), 2)))
def test_undo_takes_out_its_own_change_alone(root: Path, tmp_path: Path, first: int, second: int) -> None:
    """A then B then undo A is B alone."""
    alone = write(tmp_path / "alone")
    with engine(alone) as commits:
        assert commits.apply("commit", about("p-b", TEN[second]))["status"] == "committed"
    with engine(root) as commits:
        for name, op in (("p-a", TEN[first]), ("p-b", TEN[second])):
            assert commits.apply("commit", about(name, op))["status"] == "committed"
        assert commits.undo("p-a")["status"] == "committed"
    mine, wanted = texts(root), texts(alone)
    imported = "from typing import NotRequired\n"
    assert {p: t.replace(imported, "") for p, t in mine.items()} == {
        p: t.replace(imported, "") for p, t in wanted.items()
    }


def test_undo_of_what_a_later_commit_stands_on_names_that_commit(root: Path) -> None:
    """And changes nothing."""
    with engine(root) as commits:
        commits.apply("commit", about("p-1", ADD))
        commits.apply(
            "commit", about("p-2", {"op": "rename_field", **CLEAN, "side": "output", "field": "count", "to": "n"})
        )
        before = texts(root)
        receipt = commits.undo("p-1")
        assert receipt["status"] == "failed"
        assert "take back p-2 first" in receipt["reason"]
        assert texts(root) == before


def test_undo_that_would_break_a_consumer_is_refused(root: Path) -> None:
    """The same gates hold."""
    wants = {"op": "add_field", **RENDER, "side": "input", "field": "count", "type": "int"}
    with engine(root) as commits:
        commits.apply("commit", about("p-1", ADD))
        assert commits.apply("commit", about("p-2", wants))["status"] == "committed"
        receipt = commits.undo("p-1")
        assert (receipt["status"], receipt["gate"]) == ("failed", "mismatches")
        assert commits.undo("p-1", prepare=True, allow_mismatches=True)["status"] == "prepared"
        assert commits.undo("p-2")["status"] == commits.undo("p-1")["status"] == "committed"


def test_the_command_takes_back_and_tells(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`graphbus undo`, with its exit codes."""
    from graphbus_core.cli.main import main

    monkeypatch.chdir(root)
    before = texts(root)
    with engine(root) as commits:
        commits.apply("commit", about("p-1", ADD))
    assert main(["undo", "p-9"]) == 2
    assert "Those that can be taken back: p-1." in capsys.readouterr().err
    assert main(["undo", "p-1", "--dry-run"]) == 0
    assert texts(root) != before
    assert main(["undo", "p-1"]) == 0
    assert "p-1 is taken back" in capsys.readouterr().out
    assert texts(root) == before


def test_a_receipt_names_the_gates_in_their_order(root: Path) -> None:
    """Those that were passed; where one says no, those before it."""
    proved = [
        "applies",
        "limits",
        "path",
        "characters",
        "parses",
        "contracts",
        "mismatches",
        "names",
        "types",
        "imports",
    ]
    with engine(root, verify="true") as commits:
        assert commits.apply("prepare", about("p-1", ADD))["gates"] == [*proved, "verify", "still true"]
        first = commits.apply("commit", about("p-1", ADD))
        assert first["gates"] == [*proved, "verify", "still true"]
        assert commits.apply("commit", about("p-1", ADD)) == first
    with engine(root, verify="false") as commits:
        receipt = commits.apply("commit", about("p-2", {**ADD, "field": "other"}))
        assert (receipt["gate"], receipt["gates"]) == ("verify", proved)
        receipt = commits.apply("commit", about("p-3", {**ADD, "op": "remove_field", "field": "nothing"}))
        assert (receipt["gate"], receipt["gates"]) == ("applies", [])


def test_undo_leaves_an_import_that_a_later_commit_uses(root: Path) -> None:
    """One line imports two names, and one of them is used by now: the line stays as it is."""
    told = {"op": "add_field", **CLEAN, "side": "output", "type": "str", "optional": True}
    with engine(root) as commits:
        first = commits.apply("commit", about("p-1", {**told, "field": "publisher", "description": "who wrote it"}))
        assert "+from typing import Annotated, NotRequired\n" in first["unified_diff"]
        assert commits.apply("commit", about("p-2", {**told, "field": "cleaned_at"}))["status"] == "committed"
        receipt = commits.undo("p-1")
        assert receipt["status"] == "committed", receipt["reason"]
    text = "".join(texts(root).values())
    assert "from typing import Annotated, NotRequired\n" in text
    assert ("publisher" in text, '"cleaned_at": NotRequired[str]' in text) == (False, True)
