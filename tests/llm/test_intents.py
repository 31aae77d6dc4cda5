"""The benchmark of intents: hidden tests can fail, an answer belongs to one prompt, a changed prompt does not pass."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import intents
from benchmarks.intents_cases import play
from benchmarks.intents_cases.case import Intent
from benchmarks.intents_cases.recorded import FOLDER, NOTHING, Record, block, digest, learn
from graphbus_core.participants.llm import prompts
from graphbus_core.participants.llm.prompts import parse_addressee
from graphbus_core.testing import Call, ModelServer, Script, Turn, write_files

PROJECTS = ("news", "shop", "alerts", "reports", "tickets")
ONE_EACH = [
    next(i for i in intents.INTENTS if i.name.startswith(p)) for p in ("news", "shop", "alerts", "reports", "tickets")
]
LIMIT = next(i for i in intents.INTENTS if i.name == "news-limit")


def test_there_are_twenty_over_five_projects() -> None:
    """What the issue asks for."""
    assert len({i.name for i in intents.INTENTS}) == 20
    assert len({i.project.name for i in intents.INTENTS}) == 5


@pytest.mark.parametrize("intent", ONE_EACH, ids=lambda i: i.name)
def test_a_hidden_test_fails_while_the_wish_is_open(intent: Intent, tmp_path: Path) -> None:
    """And what held before holds: it is the wish that is missing."""
    write_files(tmp_path, intent.project.files)
    assert intent.missing(tmp_path).startswith("the wish: ")


def answered(folder: Path) -> Record:
    """A record made as the documentation says: prompts are written out, answered one by one, and taken in."""
    said = {}
    for line in (FOLDER / "careful.jsonl").read_text("utf-8").splitlines():
        one = json.loads(line)
        if one["case"] == LIMIT.name:
            said[one["agent"], one["kind"]] = one["answer"]
    record = Record("mine", folder / "answers")
    for _ in range(3):
        came = play.play_recorded(LIMIT, record, folder / "open")
        if came.answered:
            return record
        for prompt in (folder / "open").glob("*.prompt"):
            prompt.with_suffix(".answer").write_text(said[parse_addressee(prompt.read_text("utf-8"))], "utf-8")
        assert learn(record, folder / "open")
    raise AssertionError("three turns, and prompts are still open")


def test_a_record_passes_until_its_prompt_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One word more in the rules, and every answer is stale: reported, and the intent is not reached."""
    record = answered(tmp_path)
    came = play.play_recorded(LIMIT, Record("mine", record.folder))
    assert came.reached, came
    assert (came.first, came.fell) == (came.questions, [])
    assert came.calls
    assert came.tokens
    assert came.cost_usd > 0
    monkeypatch.setattr(prompts, "INTENT", prompts.INTENT + " Be brief.")
    stale = play.play_recorded(LIMIT, Record("mine", record.folder), tmp_path / "again")
    assert stale.stale, stale
    assert not stale.reached
    assert list((tmp_path / "again").glob("*.prompt"))


def test_the_command_tells_stale_from_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 0, 3 and 1; a record without an answer of its own never counts."""
    record = answered(tmp_path)
    monkeypatch.setattr(intents, "FOLDER", record.folder)
    monkeypatch.setattr(intents, "Record", lambda name: Record(name, record.folder))
    only = ["--who", "mine", "--project", LIMIT.name]
    assert intents.main(only) == 0
    assert "reached                            1 of 1 (0 stale)" in capsys.readouterr().out
    record.path.write_text(record.path.read_text("utf-8").replace('\\"accept\\"', '\\"reject\\"'), "utf-8")
    assert intents.main(only) == 1
    record.path.write_text("", "utf-8")
    assert intents.main(only) == 3
    assert "0 prompts changed, 3 are new" in capsys.readouterr().out


def test_a_provider_is_played_from_end_to_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server that speaks OpenAI's chat completions, without a key. What has no price is not called free."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    record = Record("careful")

    def say(call: Call) -> Turn:
        return Turn(record.answers.get(digest(call.prompt)) or block(NOTHING.get(call.kind, NOTHING["propose"])))

    with ModelServer(Script({}, say)) as server:
        words = ["--model", "openai:local", "--base-url", server.openai_url, "--project", LIMIT.name]
        assert intents.main(words) == 0
    told = capsys.readouterr().out
    for line in ("openai:local: 1 intents", "answers taken at the first try     ", "tokens whose price is not known"):
        assert line in told
    assert "calls                              0" not in told
    assert intents.main(words) == 1, "a provider that answers nothing meets no goal"


def test_no_recorded_answer_leads_to_another_outcome_than_reached(capsys: pytest.CaptureFixture[str]) -> None:
    """The record of the repository, one intent a project: stale is told, missed is a fault."""
    record = Record("careful")
    came = [play.play_recorded(intent, record) for intent in ONE_EACH[:2]]
    assert not [c.intent.name + ": " + c.missing for c in came if c.answered and c.missing]
    with capsys.disabled():
        if stale := [c.intent.name for c in came if not c.answered]:
            print(f"\nstale records, play them again: {', '.join(stale)}")
