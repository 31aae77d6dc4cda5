"""`negotiate run` on two plans of 2,000 words: a careless document, what our check names, what it costs, resuming.

The models are scripted, behind a real client and HTTP on loopback, so that prompts and prices are the real ones
(tokens are counted as characters / 4). Of the statements, 20 stand in one plan alone; the first final document leaves
out some of them without a word.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from graphbus_core.config import LLMConfig
from graphbus_core.logs.jsonl import JsonlAnswers
from graphbus_core.negotiation.core import Ask, Participant, Reply, View
from graphbus_core.negotiation.document.model import USUAL_NAMES, Settings
from graphbus_core.negotiation.document.protocol import Outcome
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.sessions.document.driver import DirectoryDriver
from graphbus_core.sessions.document.registration import SourceDocument, seat_models

MODEL = "anthropic:claude-sonnet-5-5"
WORDS = 2_000
PLANTED = 20
DROPPED = 8
SYLLABLES = ("ka", "lo", "mi", "ren", "tu", "vas", "pel", "dor", "shi", "gan", "bru", "fel", "zo", "nim", "quar", "tes")
DISPUTED = (
    ("storage", "Where is state kept?", "State is kept in files.", "State is kept in a database."),
    ("format", "In which form are settings written?", "Settings are written in YAML.", "Settings are written in JSON."),
    ("release", "How often do we release?", "We release every 14 days.", "We release every 30 days."),
)


def plans(seed: int = 7) -> tuple[str, str, list[str]]:
    """Two plans, and the sentences that stand in one of them alone (the disputed ones apart)."""
    chance = random.Random(seed)

    def sentence() -> str:
        made = ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 3))) for _ in range(12)]
        return (" ".join(made)).capitalize() + "."

    common = [sentence() for _ in range((WORDS - 200) // 12)]
    planted = [f"Requirement: {sentence()[:-1].lower()}." for _ in range(PLANTED)]
    texts = []
    for side in (0, 1):
        own = common + planted[side::2] + [d[2 + side] for d in DISPUTED]
        chance.shuffle(own)
        texts.append("# Plan\n\n" + "\n\n".join(own) + "\n")
    return texts[0], texts[1], planted


class Careless:
    """What the scripted models say. Kept apart from the model library: it sees the ask, they see the prompt."""

    def __init__(self, planted: list[str]) -> None:
        self.asked: dict[str, Ask] = {}
        self.calls = 0
        self.kept: set[str] = set()  # answers that were kept before this run
        self.asked_again = 0  # of these
        self.named: set[str] = set()  # points that the next seat was told of before it accepts
        self.planted = planted
        self.dropped = set(planted[:DROPPED])

    def seat(self, inner: Participant) -> Participant:
        """`inner`, watched."""
        outer = self

        class Seat:
            async def answer(self, ask: Ask, view: View) -> Reply:
                outer.asked[ask.to] = ask
                outer.asked_again += ask.id in outer.kept
                if ask.kind == "write_final":
                    outer.named |= {p for p in outer.planted for out in ask.about["left_out"] if p in out}
                return await inner.answer(ask, view)

        return Seat()

    def say(self, call: Any) -> dict[str, Any]:
        """The body for one question."""
        self.calls += 1
        ask = self.asked[call.agent]
        about = ask.about
        if ask.kind == "draft_issues":
            return {
                "issues": [
                    {
                        "topic": t,
                        "title": q,
                        "question": q,
                        "positions": [{"label": "a", "text": a}, {"label": "b", "text": b}],
                    }
                    for t, q, a, b in DISPUTED
                ]
            }
        if ask.kind == "turn":
            return self._turn(ask)
        if about["signed"] and not any(p in out for p in self.planted for out in about["left_out"]):
            return {"accept": about["hash"]}
        careless = not about["signed"]  # the first document drops some; the next seat is told of them
        document = [d["text"] for d in about["decisions"]]
        document += [p for p in self.planted if not (careless and p in self.dropped)]
        left = [{"point": "the rest", "why": "decided otherwise"}]
        return {"final": "# Final\n\n" + "\n\n".join(document), "left_out": left}

    def _turn(self, ask: Ask) -> dict[str, Any]:
        said, marks = [], []
        for issue in ask.about["issues"]:
            if not issue["you_owe_a_word"]:
                continue
            number = ask.about["agents"].index(ask.to)
            text = next(d[2 + number] for d in DISPUTED if d[1] == issue["title"])
            said.append({"issue": issue["issue"], "text": text})
            if issue["you_may_agree"] and ask.about["nth"] > 1:
                theirs = [e for e in issue["entries"] if e.get("offer") and e["by"] != ask.to]
                text = theirs[-1]["text"] if theirs else f"{text} Both sides can live with it."
                marks.append({"issue": issue["issue"], "status": "AGREED", "text": text})
        return {"positions": said, "marks": marks}


def run(root: Path, stop_after: int | None = None) -> tuple[Outcome | None, Careless, dict[str, Any], int]:
    """One run, broken off after `stop_after` answers where given: outcome, script, usage, calls of the provider."""
    from graphbus_core.participants import llm as models
    from graphbus_core.testing.model_server import ModelServer
    from graphbus_core.testing.script import Script

    first, second, planted = plans()
    script = Careless(planted)
    where = NegotiationDirectory(root)
    where.init(Settings(drafting=True))
    brought = [SourceDocument(Path(f"{name}.md"), name, text) for name, text in (("plan-a", first), ("plan-b", second))]
    seat_models(where, "", brought, len(brought))
    server = ModelServer(Script({("*", "*"): script.say}))

    class Broken(Exception):
        pass

    count = 0

    def observe(ask: Ask, reply: Reply | None) -> None:
        nonlocal count
        count += reply is not None
        if stop_after is not None and count >= stop_after:
            raise Broken

    outcome = None
    with server, JsonlAnswers(where.hidden / "answers.jsonl") as answers:
        llm = LLMConfig(model=MODEL, api_key="test", base_url=server.anthropic_url)
        table = models.Table.of(llm)
        seats = models.seat(llm, USUAL_NAMES[:2], model=MODEL, table=table)
        seats = {name: script.seat(seat) for name, seat in seats.items()}
        script.kept = {ask_id for ask_id, _ in answers}
        table.spending.restore(reply.usage for _, reply in answers)
        with suppress(Broken):
            outcome = asyncio.run(DirectoryDriver(where, seats, answers, observe=observe).run())
    return outcome, script, table.spending.report(), script.calls


def figures() -> dict[str, Any]:
    """What the benchmark prints."""
    with tempfile.TemporaryDirectory() as folder:
        outcome, script, usage, calls = run(Path(folder) / "whole")
        assert outcome is not None
        final = (Path(folder) / "whole" / "final.md").read_text()
        broken, asked_again = Path(folder) / "broken", 0
        for stop in (1, 2, 1, 1, None):
            again, resumed, total, _ = run(broken, stop)
            asked_again += resumed.asked_again
    return {
        "final": bool(outcome.final) and outcome.final == final,
        "agreed": len(outcome.agreed),
        "dropped": len(script.dropped),
        "named": len(script.named & script.dropped),
        "planted_in_final": sum(p in final for p in script.planted),
        "calls": calls,
        "tokens": usage["total"]["input_tokens"] + usage["total"]["output_tokens"],
        "cost_usd": usage["total"]["cost_usd"],
        "resumed": again is not None and again.final == outcome.final,
        "asked_again_when_broken_off_4_times": asked_again,
        "tokens_when_broken_off": total["total"]["input_tokens"] + total["total"]["output_tokens"],
    }


if __name__ == "__main__":
    for key, value in figures().items():
        print(f"{key:32} {value}")
