"""Commits that touch different files share one run of the user's command, and are told apart where it fails."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.commit import CommitEngine
from graphbus_core.commit.gates import verify
from graphbus_core.sandbox import runner
from tests.commit.projects import about, engine, write

pytestmark = [
    pytest.mark.skipif(runner.describe().kind == "limits", reason="no sandbox works here"),
    pytest.mark.timeout(400),  # a run of pytest takes seconds where others want the machine, and some tests make six
]

NAMES = ["Ada", "Ben", "Cat", "Dan", "Eva", "Fay"]
NODE = '''"""Says a word."""
from graphbus_core import GraphBusNode, schema_method


class {name}(GraphBusNode):
    SYSTEM_PROMPT = "I say a word."

    @schema_method(input_schema={{"word": str}}, output_schema={{"said": str}})
    def say(self, word):
        return {{"said": word}}
'''
TEST = """from agents.{low} import {name}


def test_{low}():
    assert {name}().say("hm")["said"].lower() == "hm"
"""


def project(root: Path) -> Path:
    """Six nodes, each with a test of its own."""
    files = {f"agents/{n.lower()}.py": NODE.format(name=n) for n in NAMES}
    files |= {f"tests/test_{n.lower()}.py": TEST.format(name=n, low=n.lower()) for n in NAMES}
    return write(root, files)


def effects(bodies: Mapping[str, str]) -> list[dict[str, Any]]:
    """The effects of one round, each told of those that come after it."""
    ops = {n: {"op": "replace_body", "node": n, "method": "say", "body": b} for n, b in bodies.items()}
    ahead = [{"proposal_id": f"p-{n}", "diff": [op], "base": {}} for n, op in ops.items()]
    made = []
    for place, (name, op) in enumerate(ops.items()):
        more = {"alongside": ahead[place + 1 :]} if ahead[place + 1 :] else {}
        made.append(about(f"p-{name}", op, **more))
    return made


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The runs of the user's command, as they come."""
    made: list[list[str]] = []
    really = verify._run

    def counted(argv: list[str], *rest: Any) -> Any:
        made.append(argv)
        return really(argv, *rest)

    monkeypatch.setattr(verify, "_run", counted)
    return made


def landed(commits: CommitEngine, bodies: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """All effects, one after the other, as a negotiation runs them."""
    return {one["proposal_id"]: commits.apply("commit", one) for one in effects(bodies)}


GOOD = "return {'said': word.upper()}"
BAD = "return {'said': word + '!'}"


def test_six_commits_take_two_runs_and_say_so(tmp_path: Path, runs: list[list[str]]) -> None:
    """One before, one after; each receipt names the others, and holds what the command said."""
    with engine(project(tmp_path), verify="auto", verify_timeout_s=300) as commits:
        receipts = landed(commits, dict.fromkeys(NAMES, GOOD))
        assert commits.verify_incomplete_batches() is None
    assert [r["status"] for r in receipts.values()] == ["committed"] * 6, receipts
    assert len(runs) == 2
    told = next(end for end in receipts["p-Cat"]["ends"] if end["gate"] == "verify")
    assert "in one run with p-Ada, p-Ben, p-Dan, p-Eva, p-Fay" in told["why"]
    assert receipts["p-Cat"]["verify"]["command"] == "python -m pytest"
    assert all("word.upper()" in (tmp_path / f"agents/{n.lower()}.py").read_text() for n in NAMES)


def test_the_one_that_breaks_a_test_is_found_by_halves(tmp_path: Path, runs: list[list[str]]) -> None:
    """It alone is refused, with a run of its own; the others land."""
    with engine(project(tmp_path), verify="auto", verify_timeout_s=300) as commits:
        receipts = landed(commits, {**dict.fromkeys(NAMES, GOOD), "Dan": BAD})
        assert commits.verify_incomplete_batches() is None
    assert {p for p, r in receipts.items() if r["status"] != "committed"} == {"p-Dan"}
    fallen = receipts["p-Dan"]
    assert fallen["gate"] == "verify"
    assert "tests/test_dan.py::test_dan" in fallen["reason"]
    assert "in one run" not in fallen["reason"]
    assert len(runs) < 2 * len(NAMES), "no fewer runs than one by one"
    assert GOOD not in (tmp_path / "agents/dan.py").read_text()


def test_where_the_files_are_not_those_of_the_run_it_is_run_again(tmp_path: Path, runs: list[list[str]]) -> None:
    """Somebody edited a test between two commits."""
    with engine(project(tmp_path), verify="auto", verify_timeout_s=300) as commits:
        first, second = effects({"Ada": GOOD, "Ben": GOOD})
        assert commits.apply("commit", first)["status"] == "committed"
        before = len(runs)
        (tmp_path / "tests/test_ben.py").write_text(TEST.format(name="Ben", low="ben").replace(".lower()", ""))
        receipt = commits.apply("commit", second)
        assert len(runs) > before
    assert receipt["status"] == "failed"
    assert receipt["gate"] == "verify"


def test_a_change_of_a_test_shares_no_run(tmp_path: Path, runs: list[list[str]]) -> None:
    """It could take the say from a test that its neighbour breaks."""
    weak = {"op": "add_file", "node": "Ben", "path": "tests/test_more.py", "source": "def test_more():\n    assert 1\n"}
    root = project(tmp_path)
    with engine(root, verify="auto", verify_timeout_s=300) as commits:
        one = {"op": "replace_body", "node": "Ada", "method": "say", "body": GOOD}
        ahead = [{"proposal_id": "p-2", "diff": [weak], "base": {}}]
        receipt = commits.apply("commit", about("p-1", one, alongside=ahead))
    assert receipt["status"] == "committed", receipt
    assert all("in one run" not in end.get("why", "") for end in receipt["ends"])


def test_two_changes_of_one_file_share_no_run(tmp_path: Path, runs: list[list[str]]) -> None:
    """The second is another change once the first stands."""
    with engine(project(tmp_path), verify="true") as commits:
        one, two = ({"op": "replace_body", "node": "Ada", "method": "say", "body": b} for b in (GOOD, BAD))
        ahead = [{"proposal_id": "p-2", "diff": [two], "base": {}}]
        assert commits.apply("commit", about("p-1", one, alongside=ahead))["status"] == "committed"
        assert commits.apply("commit", about("p-2", two))["status"] == "committed"
    assert len(runs) == 2


def test_what_held_only_with_one_that_did_not_land_is_said(tmp_path: Path) -> None:
    """The first needs the second, which never comes: nobody may believe that it was tested alone."""
    root = project(tmp_path)
    together = "from agents.ada import Ada\nfrom agents.ben import Ben\n\n\n"
    together += "def test_same():\n    assert Ada().say('a')['said'] == Ben().say('a')['said']\n"
    write(root, {"tests/test_same.py": together})
    with engine(root, verify="auto", verify_timeout_s=300) as commits:
        first, _ = effects({"Ada": GOOD, "Ben": GOOD})
        assert commits.apply("commit", first)["status"] == "committed"
        said = commits.verify_incomplete_batches()
    assert said is not None
    assert "p-Ada" in said
    assert "graphbus undo p-Ada" in said
    assert "test_same" in said


def test_with_git_every_commit_is_run_alone(tmp_path: Path, runs: list[list[str]]) -> None:
    """Each commit of git is a state that passed."""
    root = project(tmp_path)
    who = ["-c", "user.email=a@example.org", "-c", "user.name=a"]
    for words in (["init", "-q"], ["config", "user.email", "a@b.org"], ["config", "user.name", "a"], ["add", "-A"]):
        subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True, timeout=60)
    subprocess.run(["git", "-C", str(root), *who, "commit", "-qm", "x"], check=True, capture_output=True, timeout=60)
    with engine(root, verify="true", git_commit=True) as commits:
        receipts = landed(commits, {"Ada": GOOD, "Ben": GOOD})
    assert [r["status"] for r in receipts.values()] == ["committed"] * 2, receipts
    assert len(runs) == 2
