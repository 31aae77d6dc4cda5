"""One intent played: a build with `--intent`, the hidden test on what it left, and the figures from its log."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.intents_cases.case import Intent
from benchmarks.intents_cases.recorded import Record, Unanswered
from graphbus_core.build.builder import build_project
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
from graphbus_core.errors import GraphBusError
from graphbus_core.logs.jsonl import LogReader, read_answers
from graphbus_core.logs.negotiation_folder import NegotiationFolder
from graphbus_core.negotiation.core import AnswerRefused
from graphbus_core.negotiation.core.session import strip_attempt
from graphbus_core.negotiation.proposal import EVENTS
from graphbus_core.testing import Call, ModelServer, Script, Turn, write_files

ROUNDS = 1  # a wish that takes two is asked for twice; providers may be given more with --rounds
# `limits` to `imports`: what needs nothing but the project, and could have spoken before anybody was asked.
OWN_GATES = frozenset(
    ("applies", "limits", "path", "characters", "parses", "contracts", "mismatches", "names", "types", "imports")
)
KEY = "sk-recorded-0123456789-abcdefghij"  # no provider's: the server on loopback takes any
PRICED_AS = "anthropic:claude-sonnet-5-5"  # tokens of recorded answers are priced as this model's


@dataclass
class Came:
    """What came of one intent."""

    intent: Intent
    missing: str = ""  # what is not as it should be; empty: reached
    stale: int = 0  # prompts that changed since they were answered
    new: int = 0  # prompts that nobody was ever asked like
    questions: int = 0
    first: int = 0  # questions whose first answer was taken
    calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0  # tokens whose price nobody knows
    seconds: float = 0.0
    agreed: int = 0
    fell: list[str] = field(default_factory=list)  # agreed proposals that fell at a gate of the project's own
    ends: list[str] = field(default_factory=list)  # what became of each proposal

    @property
    def answered(self) -> bool:
        """Whether every prompt had its own answer."""
        return not self.stale + self.new

    @property
    def reached(self) -> bool:
        """The wish came true, and nothing of it rests on an answer to another prompt."""
        return self.answered and not self.missing


def play(intent: Intent, llm: LLMConfig, unanswered: Unanswered | None = None, rounds: int = ROUNDS) -> Came:
    """Build a fresh copy of the intent's project with this model at every seat."""
    came = Came(intent)
    with tempfile.TemporaryDirectory(prefix="intent-") as folder:
        root = Path(folder).resolve()
        write_files(root, intent.project.files)
        config = BuildConfig(
            str(root / next(iter(intent.project.files)).partition("/")[0]),
            output_dir=str(root / ".graphbus"),
            enable_agents=True,
            intent=intent.wish,
            llm_config=llm,
            safety_config=SafetyConfig(max_negotiation_rounds=rounds, max_proposals_per_agent=rounds),
        )
        began = time.monotonic()
        try:
            build_project(config)
        except GraphBusError as e:
            came.missing = f"the build ended with {type(e).__name__}: {e}"
        came.seconds = time.monotonic() - began
        _count(came, root / ".graphbus")
        came.missing = came.missing or intent.missing(root)
    if unanswered is not None:
        came.stale, came.new = unanswered.stale, unanswered.new
    return came


def _count(came: Came, output: Path) -> None:
    kept = NegotiationFolder(output)
    newest = kept.find_newest()
    if newest is None:
        return
    answers = read_answers(kept.answers_path(newest.build_id))[0]
    asked = {strip_attempt(i) for i in answers if not i.endswith("!try")}
    facts = [entry.event for entry in LogReader(newest.path, EVENTS)]
    refused = {strip_attempt(f.ask) for f in facts if isinstance(f, AnswerRefused)}
    silent = {strip_attempt(i) for i, reply in answers.items() if reply.body is None}
    came.questions, came.first = len(asked), len(asked - refused - silent)
    for reply in answers.values():
        came.calls += int(reply.usage.get("requests", 0))
        came.tokens += int(reply.usage.get("input_tokens", 0)) + int(reply.usage.get("output_tokens", 0))
        came.unpriced += int(reply.usage.get("unpriced_tokens", 0))
        came.cost_usd += float(reply.usage.get("cost_usd", 0.0))
    came.agreed = len({f.proposal_id for f in facts if f.kind == "proposal_agreed"})
    for fact in facts:
        if fact.kind == "commit_failed" and fact.gate in OWN_GATES:
            came.fell.append(f"{fact.gate}: {fact.why}")
        if fact.kind in ("commit_failed", "proposal_superseded", "proposal_rejected", "proposal_dropped"):
            came.ends.append(f"{fact.kind}: {_of(fact)} {fact.why}")
        elif fact.kind == "proposal_committed":
            came.ends.append(f"{fact.kind}: {fact.proposal_id}")
        elif isinstance(fact, AnswerRefused):
            came.ends.append(f"refused: {fact.ask}: {fact.why[-300:]}")


def _of(fact: Any) -> str:
    return getattr(fact, "proposal_id", None) or str(fact.proposal["proposal_id"])


@contextmanager
def recorded(record: Record, unanswered: Unanswered) -> Iterator[LLMConfig]:
    """A model that says what is recorded for exactly this prompt, behind HTTP, as a provider would."""

    def say(call: Call) -> Turn:
        from benchmarks.intents_cases.recorded import digest

        found = record.answers.get(digest(call.prompt))
        return Turn(unanswered.note(record, call.agent, call.kind, call.prompt) if found is None else found)

    with ModelServer(Script({}, say)) as server:
        yield LLMConfig(PRICED_AS, api_key=KEY, base_url=server.anthropic_url)


def play_recorded(intent: Intent, record: Record, dump: Path | None = None, rounds: int = ROUNDS) -> Came:
    """The same from the record. Prompts without an answer are counted, and written to `dump`."""
    unanswered = Unanswered(intent.name, dump)
    with recorded(record, unanswered) as llm:
        return play(intent, llm, unanswered, rounds)


def total(came: Iterable[Came], what: str) -> Any:
    """The sum of one figure."""
    return sum(getattr(one, what) for one in came)
