"""Participants of ours at a directory's table: beside others, with a person, broken off and run again."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.logs.jsonl import JsonlAnswers
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.sessions.document.driver import DirectoryDriver
from tests import forking

ALPHA, BETA = "agent-alpha", "agent-beta"


def graphbus(*args: str) -> subprocess.CompletedProcess[str]:
    """Run the command as agents do: in a process of its own."""
    clean = {k: v for k, v in os.environ.items() if "SESSION" not in k and "THREAD" not in k}
    return forking.run(
        [sys.executable, "-m", "graphbus_core.cli.main", "negotiate", *args],
        capture_output=True,
        text=True,
        timeout=60,
        env=clean,
    )


class Seat:
    """Says its view once, then agrees with whatever the other wants; in its last round it escalates `never`."""

    def __init__(self, view: str, never: str = "") -> None:
        self.view = view
        self.never = never
        self.asked: list[str] = []

    async def answer(self, ask: Ask, view: View) -> Reply:
        """One answer."""
        self.asked.append(ask.id)
        about = ask.about
        if ask.kind in ("draft_issues", "analysis"):
            issue = {"topic": "store", "title": "Where state lives", "question": "Files or a database?"}
            return Reply({"analysis": "They differ on the store.", "issues": [issue]})
        if ask.kind == "rule_issue":
            return Reply({"decision": "The judge says: files."})
        if ask.kind == "write_final":
            if about["signed"]:
                return Reply({"accept": about["hash"]})
            if not view.refused:
                return Reply({"accept": "00000000"})
            left = [{"point": p, "why": "small"} for p in about["left_out"]]
            return Reply({"final": "\n\n".join(d["text"] for d in about["decisions"]), "left_out": left})
        said, marks = [], []
        for issue in about["issues"]:
            if issue["you_owe_a_word"]:
                said.append({"issue": issue["issue"], "text": f"{self.view} ({about['nth']})"})
            if issue["your_last_round"]:
                marks.append({"issue": issue["issue"], "status": "ESCALATE", "text": "We differ."})
            elif issue["you_may_agree"] and issue["status"] == "OPEN" and not self.never:
                theirs = [offer["text"] for offer in issue["offers"] if offer["by"] != ask.to]
                decided = theirs[-1] if theirs else f"Decided: {self.view}."
                marks.append({"issue": issue["issue"], "status": "AGREED", "text": decided})
        challenges = [{"issue": m["issue"], "text": "And if it fails?"} for m in marks]
        return Reply({"positions": said, "marks": marks, "challenges": challenges})


def seated(root: Path, names: tuple[str, ...], **settings: Any) -> NegotiationDirectory:
    """A directory with seats of ours."""
    where = NegotiationDirectory(root)
    where.init(Settings(**settings))
    (root / "sources" / "a.md").write_text("We store state in files on the local disk.\n")
    (root / "sources" / "b.md").write_text("A database holds the state of every customer.\n")
    for name in names:
        where.register(name, f"model:{name}", "model")
    return where


def run(where: NegotiationDirectory, seats: dict[str, Any], judge: Any = None, stop: int | None = None) -> Any:
    """Run the table; with `stop`, break off after so many answers."""

    def observe(ask: Ask, reply: Reply | None) -> None:
        nonlocal stop
        if stop is not None and reply is not None:
            stop -= 1
            if stop <= 0:
                raise KeyboardInterrupt

    with JsonlAnswers(where.hidden / "answers.jsonl") as answers:
        return asyncio.run(
            asyncio.wait_for(DirectoryDriver(where, seats, answers, judge, observe, pause_s=0.01).run(), 60)
        )


def test_two_seats_draft_disagree_agree_and_write(tmp_path: Path) -> None:
    """The same issue of both is one; a document without the decision is refused, and asked for again."""
    where = seated(tmp_path / "d", (ALPHA, BETA), drafting=True)
    outcome = run(where, {ALPHA: Seat("files"), BETA: Seat("a database")})
    assert outcome.agreed == ("01-store",)
    assert "Decided: " in (tmp_path / "d" / "final.md").read_text()
    assert "left out" in (tmp_path / "d" / "coverage-audit.md").read_text()
    assert where.find_problems() == ()


def test_broken_off_anywhere_nothing_is_asked_twice(tmp_path: Path) -> None:
    """Every run gives one more answer; the outcome is that of a run in one piece."""
    whole = run(seated(tmp_path / "whole", (ALPHA, BETA), drafting=True), {ALPHA: Seat("x"), BETA: Seat("y")})
    where = seated(tmp_path / "d", (ALPHA, BETA), drafting=True)
    asked: list[str] = []
    for _ in range(30):
        seats = {ALPHA: Seat("x"), BETA: Seat("y")}
        try:
            outcome = run(NegotiationDirectory(where.root), seats, stop=1)
            break
        except KeyboardInterrupt:
            continue
        finally:
            asked += [f"{n} {i}" for n, seat in seats.items() for i in seat.asked]
    assert (outcome.final, outcome.agreed) == (whole.final, whole.agreed)
    assert len(asked) == len(set(asked))


def test_the_rigorous_form_has_analysis_challenge_and_audit(tmp_path: Path) -> None:
    """Without a challenge nobody agrees; the phases are said in files."""
    where = seated(tmp_path / "d", (ALPHA, BETA), rigorous=True)
    outcome = run(where, {ALPHA: Seat("files"), BETA: Seat("a database")})
    assert outcome.agreed == ("01-store",)
    kinds = {e.kind for e in where.read_state().issues["01-store"].entries}
    assert kinds == {"position", "challenge"}
    assert (tmp_path / "d" / "phase.md").read_text() == "positions\n"
    assert (tmp_path / "d" / "analysis" / f"{ALPHA}.md").exists()


def test_a_judge_rules_and_the_negotiation_goes_on(tmp_path: Path) -> None:
    """What never agrees is escalated in the last round."""
    where = seated(tmp_path / "d", (ALPHA, BETA), drafting=True, judge="human", max_rounds=2)
    outcome = run(where, {ALPHA: Seat("x", "never"), BETA: Seat("y", "never")}, judge=Seat("judge"))
    assert (outcome.agreed, outcome.escalated) == (("01-store",), ())
    assert "The judge says: files." in outcome.final


def test_seats_sit_beside_an_agent_with_commands_and_a_person(tmp_path: Path) -> None:
    """A model, an agent that uses the commands, and a person who rules, in one negotiation at once."""
    root = tmp_path / "d"
    where = seated(root, (ALPHA,), judge="human", max_rounds=2)
    failures: list[str] = []

    def other() -> None:
        mine = NegotiationDirectory(root)
        mine.add_issue("store", "")
        mine.register(BETA)
        ends = time.monotonic() + 30
        while time.monotonic() < ends:
            told = mine.poll(BETA)
            if told.data["turn"] == "done":
                return
            if told.data["judge"]:
                mine.rule(told.data["judge"][0], "The person says: both.")
            if told.data["turn"] == "yours":
                state = mine.read_state()
                for stem, issue in state.issues.items():
                    if issue.is_open:
                        mine.write(BETA, stem, "I insist.")
                if state.are_all_settled() and mine.finish().ok:
                    return
                told = mine.hand_off(BETA)
                failures.extend(str(r) for r in told.reasons if r.code != "last_round")
                if not told.ok:
                    mine.write(BETA, "1", "We differ.", status="ESCALATE")
                    mine.hand_off(BETA)
            time.sleep(0.01)

    thread = threading.Thread(target=other, daemon=True)
    thread.start()
    outcome = run(where, {ALPHA: Seat("x", "never")})
    thread.join(60)
    assert not thread.is_alive()
    assert failures == []
    assert "The person says: both." in outcome.final


def test_run_as_a_command_with_a_script(tmp_path: Path) -> None:
    """`--model scripted:FILE`; run again after the end it says the same and asks nothing."""
    issue = {"topic": "store", "title": "Store", "question": "Files?"}
    (tmp_path / "s.yaml").write_text(
        json.dumps(
            {
                "default": {"draft_issues": {"issues": [issue]}},
                "agents": {
                    ALPHA: {
                        "turn": [{"offers": [{"issue": "01-store", "text": "We keep files."}]}],
                        "write_final": {"final": "We keep files, and a log of 30 days. Backups run nightly at 02:00."},
                    },
                    BETA: {
                        "turn": [
                            {
                                "positions": [{"issue": "01-store", "text": "Fine."}],
                                "marks": [{"issue": "01-store", "status": "AGREED", "text": "We keep files."}],
                            }
                        ]
                    },
                },
            }
        )
    )
    (tmp_path / "a.md").write_text("We keep a log of 30 days.\n")
    (tmp_path / "b.md").write_text("Backups run nightly at 02:00.\n")
    args = ["run", str(tmp_path / "d"), "--topic", "Plans", "--json"]
    for name in ("a", "b"):
        args += ["--source", str(tmp_path / f"{name}.md")]
    args += ["--model", f"scripted:{tmp_path / 's.yaml'}"]
    for _ in range(2):
        found = graphbus(*args)
        assert found.returncode == 0, found.stderr
        data = json.loads(found.stdout)
        assert (data["agreed"], data["answers"]) == (["01-store"], 6)
    assert "log of 30 days" in (tmp_path / "d" / "final.md").read_text()


def test_two_plans_of_2000_words_with_real_prompts() -> None:
    """The benchmark's figures: what a careless document drops is named, and nothing is asked twice."""
    pytest.importorskip("pydantic_ai")
    from benchmarks.directory_models import figures

    found = figures()
    assert (found["final"], found["named"], found["planted_in_final"]) == (True, found["dropped"], 20)
    assert (found["resumed"], found["asked_again_when_broken_off_4_times"]) == (True, 0)
    assert found["tokens"] > 10_000
    assert found["cost_usd"] > 0
