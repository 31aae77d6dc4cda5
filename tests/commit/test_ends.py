"""Every gate says what it did: proved, tested, or not run and why; and what is unproved is not committed unseen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.cli.main import main
from graphbus_core.commit import CommitEngine
from graphbus_core.commit.gates.order import GATES, UNDO_GATES
from graphbus_core.config import BuildConfig
from graphbus_core.errors import ConfigError
from tests.commit.projects import CLEAN, CLEANER, FILES, about, engine, texts, write

ADD = {"op": "add_field", **CLEAN, "side": "output", "field": "count", "type": "int", "default": "7"}


def rehearsing(root: Path, **config: Any) -> CommitEngine:
    """An engine whose proposals come from rules."""
    settings = BuildConfig(str(root / "agents"), output_dir=str(root / ".graphbus"), **config)
    return CommitEngine(scan(root / "agents"), settings, rehearse=True)


def ends(receipt: Mapping[str, Any]) -> dict[str, str]:
    """Gate -> how it ended."""
    return {one["gate"]: one["end"] for one in receipt["ends"]}


def test_each_gate_stands_once_and_undo_has_its_own_list() -> None:
    """The order is the tuple."""
    names = [gate.name for gate in GATES]
    assert len(set(names)) == len(names)
    assert names[-1] == "still true"
    assert {gate.name for gate in UNDO_GATES} < set(names)


def test_a_receipt_says_how_every_gate_ended(tmp_path: Path) -> None:
    """Proved is for every input, tested for what was tried; without --verify behaviour was not run, and that blocks
    nothing."""
    with rehearsing(write(tmp_path / "p")) as commits:
        receipt = commits.apply("commit", about("p-1", ADD))
    assert receipt["status"] == "committed", receipt
    told = ends(receipt)
    assert {gate for gate, end in told.items() if end == "proved"} >= {"parses", "contracts", "mismatches", "imports"}
    assert told["rehearsal"] == "tested"
    assert told["verify"] == "not run"


MISSING = CLEANER.replace(
    "    def clean(self, headlines):\n", "    def clean(self, headlines):\n        import not_here\n"
)


@pytest.mark.parametrize(
    "cleaner",
    [
        MISSING,
        CLEANER.replace('    SYSTEM_PROMPT = "I clean."\n', "    def __init__(self, needed):\n        pass\n"),
    ],
    ids=["an import that is missing", "a class that nobody here can make"],
)
def test_a_rehearsal_that_could_not_be_run_blocks(cleaner: str, tmp_path: Path) -> None:
    """It passed unseen before. Allowed by name, it is committed, and the receipt says that it was not run."""
    root = write(tmp_path / "p", {**FILES, "agents/cleaner.py": cleaner})
    before = texts(root)
    with rehearsing(root) as commits:
        receipt = commits.apply("commit", about("p-1", ADD))
    assert (receipt["status"], receipt["gate"]) == ("failed", "rehearsal"), receipt
    assert "--allow-unproved rehearsal" in receipt["reason"]
    assert texts(root) == before
    with rehearsing(root, allow_unproved=["rehearsal"]) as commits:
        receipt = commits.apply("commit", about("p-1", ADD))
    assert receipt["status"] == "committed", receipt
    assert ends(receipt)["rehearsal"] == "not run"


def test_imports_that_failed_before_as_well_block(tmp_path: Path) -> None:
    """Nothing is known of code that cannot be imported here."""
    root = write(tmp_path / "p", {**FILES, "agents/cleaner.py": "import not_here_at_all\n" + CLEANER})
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", ADD))
    assert (receipt["status"], receipt["gate"]) == ("failed", "imports")
    assert "--allow-unproved imports" in receipt["reason"]
    with engine(root, allow_unproved=["imports"]) as commits:
        assert commits.apply("commit", about("p-1", ADD))["status"] == "committed"


def test_only_what_a_machine_may_be_unable_to_run_can_be_allowed(tmp_path: Path) -> None:
    """A contract is not a matter of the machine."""
    with pytest.raises(ConfigError, match="types, imports, rehearsal"):
        BuildConfig("agents", allow_unproved=["contracts"])
    write(tmp_path / "p")
    args = ["build", str(tmp_path / "p" / "agents"), "--enable-agents", "--allow-unproved", "imports,contracts"]
    assert main(args) == 2


@pytest.mark.usefixtures("without_types")
def test_a_method_that_calls_another_is_rehearsed_with_what_that_one_promises(tmp_path: Path) -> None:
    """There is no bus in a rehearsal, and an AttributeError of ours must not hide one of the code."""
    calling = CLEANER.replace(
        "for h in headlines if h]}", 'for h in self.call("Fetcher", "fetch", url="")["headlines"]]}'
    )
    root = write(tmp_path / "p", {**FILES, "agents/cleaner.py": calling})
    wrong = {"op": "replace_body", **CLEAN, "body": "return {'items': getattr(headlines, 'no' + 'thing')}"}
    with rehearsing(root) as commits:
        receipt = commits.apply("commit", about("p-1", wrong))
        assert (receipt["gate"], receipt["status"]) == ("rehearsal", "failed"), receipt
        assert commits.apply("commit", about("p-2", ADD))["status"] == "committed"


def editing(commits: CommitEngine, file: Path, text: str, at: int) -> None:
    """Write `text` to `file` just before the engine makes its copy number `at`."""
    made, copy = [0], commits._copy_project

    def copying(*args: Any, **more: Any) -> Any:
        made[0] += 1
        if made[0] == at:
            file.write_text(text)
        return copy(*args, **more)

    commits._copy_project = copying  # type: ignore[method-assign]


@pytest.mark.parametrize("at", [2, 3], ids=["between two copies", "before the command"])
def test_a_consumer_edited_while_the_gates_run_sends_the_commit_back(at: int, tmp_path: Path) -> None:
    """The edit makes the link fit worse: the second time round the gates see it."""
    root = write(tmp_path / "p")
    formatter = root / "agents" / "formatter.py"
    strict = formatter.read_text()
    formatter.write_text(strict.replace("list[str]", "list[str] | None").replace("join(items)", "join(items or ())"))
    retype = {"op": "retype_field", **CLEAN, "side": "output", "field": "items", "type": "list[str] | None"}
    with rehearsing(root, verify="true") as commits:
        editing(commits, formatter, strict, at)
        receipt = commits.apply("commit", about("p-1", retype))
    assert (receipt["status"], receipt["gate"]) == ("failed", "mismatches"), receipt
    assert "None" not in (root / "agents" / "cleaner.py").read_text()


def test_an_edit_that_matters_nothing_only_costs_a_round(tmp_path: Path) -> None:
    """It is committed on the second time, beside the edit."""
    root = write(tmp_path / "p", {**FILES, "tests/test_it.py": "def test_it():\n    pass\n"})
    edited = root / "tests" / "test_it.py"
    with rehearsing(root, verify="true") as commits:
        editing(commits, edited, "def test_it():\n    assert True\n", 2)
        receipt = commits.apply("commit", about("p-1", ADD))
    assert receipt["status"] == "committed", receipt
    assert ends(receipt)["still true"] == "proved"


def test_who_never_stops_editing_is_told(tmp_path: Path) -> None:
    """After three times the proposal is superseded, and names the file; a log that grows is none of its business."""
    root = write(tmp_path / "p", {**FILES, "notes.md": "0", "run.log": "0"})
    with rehearsing(root) as commits:
        copy, made = commits._copy_project, [0]

        def copying(*args: Any, **more: Any) -> Any:
            made[0] += 1
            (root / "notes.md").write_text(str(made[0]))
            return copy(*args, **more)

        commits._copy_project = copying  # type: ignore[method-assign]
        receipt = commits.apply("commit", about("p-1", ADD))
        assert receipt["status"] == "superseded"
        assert "notes.md" in receipt["reason"]
        assert "run.log" not in receipt["reason"]
