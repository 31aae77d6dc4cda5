"""The whole road, from the command to a scripted provider and back: build, consent, document. No key, no network."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main
from graphbus_core.testing import Call, ModelServer, Script, Turn, chain, fenced, write_files
from tests.llm.conftest import KEY

ACCEPT = {"decision": "accept", "reasoning": "An optional field that I may ignore."}
FIELD = {"op": "add_field", "node": "Agent001", "method": "run", "side": "output", "type": "str", "optional": True}
GOOD = {"proposals": [{"summary": "note it", "diff": [{**FIELD, "field": "note", "default": "''"}]}]}


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """provider(lines) -> a running server that the environment's key leads to."""
    servers: list[ModelServer] = []
    monkeypatch.chdir(tmp_path)

    def start(lines: dict[tuple[str, str], Any]) -> ModelServer:
        server = ModelServer(Script(lines)).start()
        servers.append(server)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.anthropic_url)
        return server

    yield start
    for server in servers:
        server.stop()


def test_a_build_commits_what_models_agree_on_and_says_what_it_cost(
    provider: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = {("Agent001", "propose"): ["prose", fenced(GOOD)], ("*", "propose"): {"proposals": []}}
    server = provider({**lines, ("*", "evaluate"): ACCEPT})
    write_files(tmp_path, chain(3))
    assert main(["build", "agents", "--enable-agents", "--rounds", "1"]) == 0
    said = capsys.readouterr()
    assert "because ANTHROPIC_API_KEY is set" in said.err
    assert re.search(r"5 answers in 5 requests, [\d,]+ tokens in, \d+ out, \$0\.\d+", said.err)
    assert '"note": NotRequired[str]' in (tmp_path / "agents/chain.py").read_text()
    usage = json.loads((tmp_path / ".graphbus/build_summary.json").read_text())["negotiation"]["usage"]
    assert usage["total"]["requests"] == len(server.received) == 5
    assert set(usage["by_agent"]) == {"Agent000", "Agent001", "Agent002"}
    assert not [p for p in tmp_path.rglob("*") if p.is_file() and KEY.encode() in p.read_bytes()]
    assert KEY not in said.out + said.err


def test_a_refused_key_ends_a_build_with_a_sentence(
    provider: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    provider({("*", "*"): Turn(status=401, message="invalid x-api-key {key}")})
    write_files(tmp_path, chain(2))
    before = (tmp_path / "agents/chain.py").read_text()
    assert main(["build", "agents", "--enable-agents"]) != 0
    said = capsys.readouterr().err
    assert "cannot be asked: anthropic:claude-sonnet-5-5 refused the key (401)" in said
    assert KEY not in said
    assert "Traceback" not in said
    assert (tmp_path / "agents/chain.py").read_text() == before


def test_a_budget_ends_a_build_and_a_larger_one_takes_it_to_its_end(
    provider: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = provider({("Agent001", "propose"): GOOD, ("*", "propose"): {"proposals": []}, ("*", "evaluate"): ACCEPT})
    write_files(tmp_path, chain(3))
    # Exit code 1: a proposal was made, and nothing came of it.
    assert main(["build", "agents", "--enable-agents", "--rounds", "1", "--max-tokens", "10"]) == 1
    said = capsys.readouterr().err
    assert "the budget of 10 tokens is spent" in said
    assert "Run it again with a larger budget." in said
    summary = json.loads((tmp_path / ".graphbus/build_summary.json").read_text())["negotiation"]
    assert summary["reason"] == "stopped"
    assert summary["usage"]["budget_reached"].startswith("the budget of 10 tokens is spent")
    assert len(server.received) == 3  # all three proposals were under way at once; no evaluation was asked for
    assert main(["build", "agents", "--enable-agents", "--rounds", "1", "--max-tokens", "100000"]) == 0  # as was said


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--model", "Agent001="], "names no model"),
        (["--model", ""], "names no model"),
        (["--model", "gpt-6-luna", "--model", "claude-opus-5-5"], "Two models are to speak for all"),
        (["--model", "Agent001=gpt-6-luna", "--model", "Agent001=rules"], "Agent001 has two models"),
        (["--model", "scripted"], "say which file, as in --model scripted:FILE"),
        (["--model", "Agent001=recorded"], "say which file, as in --model recorded:FILE"),
    ],
)
def test_a_model_that_is_none_is_refused_and_nobody_else_seated(
    provider: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], given: list[str], words: str
) -> None:
    server = provider({("*", "*"): {"proposals": []}})
    write_files(tmp_path, chain(2))
    assert main(["build", "agents", "--enable-agents", "--rounds", "1", *given]) == 2
    assert words in " ".join(capsys.readouterr().err.split())
    assert not server.received


def test_advocates_with_words_alone_argue_through_a_model(provider: Any, capsys: pytest.CaptureFixture[str]) -> None:
    turn = {"offer": "one day", "want": "quiet mornings", "rationale": "fair", "terms": ["meet on Mondays"]}
    server = provider(
        {
            ("*", "position"): {"priority": "P", "rationale": "R", "red_line": "none", "willing_to_trade": "time"},
            ("CC", "turn"): [{"move": "propose", **turn}, {"move": "check"}],
            ("*", "turn"): {"move": "discuss", "text": "I hear you."},
            ("*", "consent"): {"answer": "consent"},
        }
    )
    prompt = "Use negotiation to decide on team meeting frequency.\nCC=Productivity, CX=Balance, GM=Collaboration."
    assert main(["consent", "run", prompt]) == 0
    assert "STATUS: DONE" in capsys.readouterr().out
    assert [r.kind for r in server.received].count("consent") == 3


def test_a_document_is_negotiated_by_models(provider: Any, tmp_path: Path) -> None:
    def turn(call: Call) -> Turn:
        notes = re.findall(r"^### (\S+) is \w+(.*)$", call.prompt, re.MULTILINE)
        said = [{"issue": i, "text": f"{call.agent} is for 8080."} for i, note in notes if "you owe it" in note]
        marks = [{"issue": i, "status": "AGREED", "text": "Use port 8080."} for i, note in notes if "AGREED" in note]
        return Turn(fenced({"positions": said, "marks": marks}))

    def final(call: Call) -> Turn:
        if written := re.search(r"the document (\w{8}), accepted by agent", call.prompt):
            return Turn(fenced({"accept": written[1]}))
        points = re.findall(r"^\S+:\d+: (.*)$", call.prompt, re.MULTILINE)
        return Turn(fenced({"final": "@document"}, document="\n\n".join(["# Ports", "Use port 8080.", *points])))

    issue = {"topic": "port", "title": "Port", "question": "Which one?"}
    provider({("*", "draft_issues"): {"issues": [issue]}, ("*", "turn"): turn, ("*", "write_final"): final})
    write_files(tmp_path, {"a.md": "# Ops\n\nWe listen on 8080.\n", "b.md": "# Dev\n\nWe listen on 9090.\n"})
    options = ["--topic", "ports", "--source", "a.md", "--source", "b.md", "--window", "1"]
    assert main(["negotiate", "run", "table", *options]) == 0
    assert "Use port 8080." in (tmp_path / "table/final.md").read_text()


def test_a_proposal_that_cannot_land_goes_back_to_its_model_and_reaches_nobody(
    provider: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Design §7: what fails up to `imports` is never tabled; the model hears the end of the error at once."""
    at = {"op": "replace_body", "node": "Agent001", "method": "run"}
    broken = {"proposals": [{"summary": "count them", "diff": [{**at, "body": "@b"}]}]}
    lines = {
        ("Agent001", "propose"): [
            fenced(broken, b='return {"items": items, "count": counted}'),
            fenced(broken, b='return {"items": items, "count": len(items)}'),
        ],
        ("*", "propose"): {"proposals": []},
        ("*", "evaluate"): ACCEPT,
    }
    server = provider(lines)
    write_files(tmp_path, chain(3))
    assert main(["build", "agents", "--enable-agents", "--rounds", "1"]) == 0
    assert "len(items)" in (tmp_path / "agents/chain.py").read_text()
    log = next(p for p in (tmp_path / ".graphbus/negotiations").glob("*.jsonl") if ".answers" not in p.name)
    facts = [fact for line in log.read_text().splitlines() if "kind" in (fact := json.loads(line))]
    assert [f["event"]["participant"] for f in facts if f["kind"] == "answer_refused"] == ["Agent001"]
    tabled = [f["event"] for f in facts if f["kind"] == "proposal_tabled"]
    assert len(tabled) == 1
    assert tabled[0]["computed"]["tried"]["new_mismatches"] == []
    again = [str(r) for r in server.received if "undefined name" in str(r)]
    assert len(again) == 1
    assert main(["log", "replay"]) == 0  # needs no disk and no model
