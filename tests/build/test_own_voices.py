"""Nodes that speak for themselves in a build (seed 002 §2.7): whose code answers, what it hears, what it may do."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.build.builder import build_project
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
from graphbus_core.errors import ParticipantError
from graphbus_core.sessions.build.hooks import Hooks
from graphbus_core.testing import temporary_project, write_files

FETCH = """from graphbus_core import GraphBusNode, schema_method


class Fetch(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"x": int})
    def run(self):
        return {"x": 1}
"""
CLEAN = """from graphbus_core import GraphBusNode, depends_on, schema_method

HEARD = []


class Clean(GraphBusNode):
    @depends_on("Fetch.run")
    @schema_method(input_schema={"x": int}, output_schema={"y": int})
    def run(self, x):
        return {"y": x}

"""
VOICE = """    def evaluate(self, proposal):
        return {"decision": "%s", "reasoning": "%s"}
"""


def project(voice: str) -> dict[str, str]:
    """Fetch proposes a field; Clean, who is affected, says what `voice` says."""
    return {"agents/fetch.py": FETCH, "agents/clean.py": CLEAN + voice}


def build(root: Path, monkeypatch, field: str = "k", hooks: Hooks | None = None, **settings) -> dict:
    """Build with Fetch proposing `field`; the negotiation as projected."""
    monkeypatch.chdir(root)
    add = f"{{op: add_field, method: run, side: output, field: {field}, type: str, optional: true}}"
    Path("script.yaml").write_text(
        f"agents:\n  Fetch:\n    propose:\n      - round: 1\n        proposals: [{{summary: {field}, diff: [{add}]}}]\n"
    )
    build_project(
        BuildConfig(
            root_package="agents",
            llm_config=LLMConfig(model="scripted:script.yaml"),
            safety_config=SafetyConfig(max_negotiation_rounds=2),
            **settings,
        ),
        hooks,
    )
    return json.loads(Path(".graphbus/negotiation_log.json").read_text())


def said(log: dict) -> dict:
    """Clean's evaluation of the one proposal of round 1."""
    (proposal,) = log["rounds"][0]["proposals"]
    (evaluation,) = proposal["evaluations"]
    return {**evaluation, "outcome": proposal["outcome"]}


def test_each_build_of_a_process_hears_its_own_code(monkeypatch):
    """A node that was edited between two builds answers as it is now; the length and the second are the same."""
    with temporary_project(project(VOICE % ("accept", "v1"))) as root:
        assert said(build(root, monkeypatch, "k1"))["reasoning"] == "v1"
        write_files(root, {"agents/clean.py": CLEAN + VOICE % ("reject", "v2")})
        second = said(build(root, monkeypatch, "k2"))
        assert (second["reasoning"], second["outcome"]) == ("v2", "rejected")


def test_each_project_of_a_process_hears_its_own_code(monkeypatch):
    """Two projects may both have an `agents.clean`, and a module of that name may have been imported before."""
    with temporary_project(project(VOICE % ("accept", "one"))) as root:
        assert said(build(root, monkeypatch))["reasoning"] == "one"
    with temporary_project(project(VOICE % ("reject", "other"))) as root:
        assert said(build(root, monkeypatch))["reasoning"] == "other"


def test_a_build_leaves_no_module_of_the_project_behind(monkeypatch):
    """Neither under its own name nor under the one that it had for the build."""
    before = set(sys.modules)
    with temporary_project(project(VOICE % ("accept", "yes"))) as root:
        build(root, monkeypatch)
    assert [n for n in set(sys.modules) - before if "agents" in n] == []


def test_a_node_may_import_its_own_project_when_it_is_asked(monkeypatch):
    """The modules of the project are there for as long as the build is, by the names that they have in it."""
    voice = """    def evaluate(self, proposal):
        from agents.wisdom import ANSWER
        return {"decision": ANSWER, "reasoning": __name__}
"""
    with temporary_project({**project(voice), "agents/wisdom.py": 'ANSWER = "accept"\n'}) as root:
        assert said(build(root, monkeypatch))["decision"] == "accept"


LISTENS = """    def evaluate(self, proposal):
        self.asked = getattr(self, "asked", 0) + 1
        return {"decision": "accept", "reasoning": "yes"}

    def commit(self, commit):
        with open("heard.txt", "a") as file:
            file.write(f"{commit.proposal_id} {commit.proposer} {commit.files_modified} {getattr(self, 'asked', 0)}\\n")
            file.write(open("agents/fetch.py").read())
        %s
"""


def test_a_node_that_overrides_commit_is_told(monkeypatch):
    """With the record of seed 002 §2.7, by the same node that evaluated, after the files were written."""
    with temporary_project(project(LISTENS % "pass")) as root:
        log = build(root, monkeypatch)
        first, _, rest = (root / "heard.txt").read_text().partition("\n")
        assert first == f"{log['rounds'][0]['proposals'][0]['id']} Fetch ('agents/fetch.py',) 1"
        assert '"k": NotRequired[str]' in rest


def test_what_commit_raises_is_logged_and_changes_nothing(monkeypatch, caplog):
    """It is told, not asked."""
    with temporary_project(project(LISTENS % "raise OSError('no ears')")) as root, caplog.at_level(logging.WARNING):
        log = build(root, monkeypatch)
        assert log["committed"] == 1
        assert (root / "heard.txt").exists()
    assert "Clean.commit failed" in caplog.text
    assert "no ears" in caplog.text


def test_nobody_is_told_of_commits_that_a_dry_run_made(monkeypatch):
    """They went to a copy that is thrown away."""
    with temporary_project(project(LISTENS % "pass")) as root:
        build(root, monkeypatch, dry_run=True)
        assert not (root / "heard.txt").exists()


def test_a_node_that_was_not_concerned_is_not_told(monkeypatch):
    """What an agent sees is its own (design §6.11)."""
    other = "from graphbus_core import GraphBusNode\n\n\nclass Other(GraphBusNode):\n    pass\n\n"
    told = '    def commit(self, commit):\n        open("other.txt", "w")\n'
    with temporary_project({**project(LISTENS % "pass"), "agents/other.py": other + told}) as root:
        build(root, monkeypatch)
        assert (root / "heard.txt").exists()
        assert not (root / "other.txt").exists()


@pytest.mark.parametrize("leave", ["sys.exit(3)", "raise SystemExit"])
def test_a_node_that_leaves_the_program_has_failed_to_answer(monkeypatch, leave):
    """`sys.exit` in `evaluate` is a fault of that node, and silence; the build goes on."""
    with temporary_project(
        project(f"    def evaluate(self, proposal):\n        import sys\n        {leave}\n")
    ) as root:
        evaluation = said(build(root, monkeypatch))
    assert evaluation["decision"] == "silent"
    assert "Clean.evaluate called sys.exit(" in evaluation["reasoning"]


def test_a_node_that_leaves_the_program_when_it_is_imported_is_named(monkeypatch):
    """With its file, and what to do."""
    files = project(VOICE % ("accept", ""))
    files["agents/clean.py"] = "import sys\n" + files["agents/clean.py"] + "\n\nsys.exit(4)\n"
    with temporary_project(files) as root, pytest.raises(ParticipantError, match=r"SystemExit: 4\. Mend agents/clean"):
        build(root, monkeypatch)


def test_what_a_node_prints_goes_to_stderr(monkeypatch, capsys):
    """A build's stdout is the program's: with `--json` it is one object and nothing else."""
    voice = "    def evaluate(self, proposal):\n        print('asked')\n        return {'decision': 'accept'}\n"
    files = project(voice)
    files["agents/clean.py"] = "print('imported')\n" + files["agents/clean.py"]
    with temporary_project(files) as root:
        build(root, monkeypatch)
    assert capsys.readouterr() == ("", "imported\nasked\n")


def test_a_resumed_build_tells_its_new_nodes_what_was_committed_before(monkeypatch):
    """The node of the build that was cut off is gone, and what it had heard with it."""
    with temporary_project(project(LISTENS % "pass")) as root:
        cancel = []

        def stop_at_the_commit(kind: str, data: Mapping[str, Any]) -> None:
            if kind == "fact" and data["kind"] == "proposal_committed":
                cancel[0]()

        with pytest.raises((KeyboardInterrupt, asyncio.CancelledError)):
            build(root, monkeypatch, hooks=Hooks(stop_at_the_commit, begin=cancel.append))
        (root / "heard.txt").unlink(missing_ok=True)
        log = build(root, monkeypatch, resume=True)
        assert log["committed"] == 1
        heard = (root / "heard.txt").read_text()
        assert heard.startswith(log["rounds"][0]["proposals"][0]["id"])
