"""A model at the table: it answers every kind of question, within its budget, and is never believed without a check.

An answer that cannot be read is handed back by the session, which records why; so nothing is retried here but the
transport. A timeout is silence. Where no question can ever be answered (a refused key, an unknown model, a spent
budget) ParticipantError says so, with the agent's name.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from graphbus_core.config import LLMConfig
from graphbus_core.errors import ParticipantError
from graphbus_core.negotiation.core import UNREADABLE, Ask, Participant, Reply, View, make_unreadable
from graphbus_core.negotiation.core.session import parse_attempt, retry_on_parser_fault, strip_attempt
from graphbus_core.participants.llm import answer_reader
from graphbus_core.participants.llm.models import find_provider, is_model, open_model, resolve_model_name
from graphbus_core.participants.llm.prompts import Prompt, build_prompt, find_question
from graphbus_core.participants.llm.transport import Completion, ModelClient, NoAnswer, Opener, RateLimiter
from graphbus_core.participants.llm.usage import BudgetSpent, Spending, Usage, has_price
from graphbus_core.participants.secret_scrubber import Scrubber


@dataclass(frozen=True)
class Progress:
    """Something to show: who thinks about what, what it said, and what the table has cost so far.

    `waiting` is told of an agent that queues for its provider; `writing` carries the characters so far.
    """

    what: Literal["thinking", "writing", "answered", "make_unreadable", "silent"]
    agent: str
    kind: str
    model: str
    text: str = ""
    characters: int = 0
    thinking: tuple[str, ...] = ()
    tokens: int = 0
    cost_usd: float = 0.0


Watch = Callable[[Progress], None]
HOLDS_A_KEY = "the answer holds a key, or what looks like one, and keys are kept nowhere; answer again without it"


@dataclass
class Table:
    """What all models of one negotiation share: the spending with the budget, the lanes, the opened models."""

    llm: LLMConfig
    spending: Spending
    watch: Watch = lambda progress: None
    scrub: Scrubber = field(default_factory=Scrubber)
    opener: Opener = open_model  # tests put a scripted one here
    _speakers: dict[str, ModelClient] = field(default_factory=dict)
    _lanes: dict[str, tuple[asyncio.AbstractEventLoop, RateLimiter]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        llm: LLMConfig,
        watch: Watch | None = None,
        environ: Mapping[str, str] | None = None,
        opener: Opener = open_model,
    ) -> Table:
        """A table by this configuration."""
        environ = os.environ if environ is None else environ
        return cls(llm, Spending(llm), watch or (lambda progress: None), Scrubber((llm.api_key,), environ), opener)

    def find_client(self, name: str) -> ModelClient:
        """The model of this full name; one for all who use it."""
        if name not in self._speakers:
            self._speakers[name] = ModelClient(name, self.llm, self.spending, self.scrub, self.opener)
        return self._speakers[name]

    def find_limiter(self, name: str) -> RateLimiter:
        """The lane of this model's provider, in the running event loop."""
        loop, provider = asyncio.get_running_loop(), find_provider(name)
        entry = self._lanes.get(provider)
        if entry is None or entry[0] is not loop:
            entry = self._lanes[provider] = (loop, RateLimiter(self.llm.max_concurrency))
        return entry[1]

    def list_notes(self) -> list[str]:
        """What the user should know before the first call: models without a price, a budget that cannot bind them."""
        unknown = sorted(n for n in self._speakers if not has_price(n))
        if not unknown:
            return []
        bound = "; max_cost_usd cannot bind what they cost" if self.llm.max_cost_usd is not None else ""
        return [f"No price is known for {', '.join(unknown)}: tokens are counted, money is not{bound}."]


class LLMParticipant:
    """One agent's seat, with its model and its fallback."""

    def __init__(self, name: str, model: str, table: Table, role: str = "") -> None:
        self.name = name
        self.model = model
        self.table = table
        self.role = role
        self._said: dict[str, str] = {}  # base id of an ask -> its last unreadable or refused answer

    def build_prompt(self, ask: Ask, view: View | None = None) -> Prompt:
        """What would be sent for this ask: the real prompt, for plans and tests."""
        view = view or View(())
        last_answer = self._said.get(strip_attempt(ask.id), "")
        return retry_on_parser_fault(lambda: build_prompt(ask, tuple(view.facts), view.refused, self.role, last_answer))

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Ask the model, and its fallback where the first cannot answer. Raises ParticipantError as its base says."""
        if (handed_back := parse_attempt(ask.id) - 1) > self.table.llm.max_retries:
            return Reply(
                None,
                f"{handed_back} answers of {self.model} could not be taken, the last: {' '.join(view.refused[-1:])}",
            )
        prompt = self.build_prompt(ask, view)
        spending = self.table.spending
        spent = Usage()
        used: list[str] = [self.model]  # the models that were asked, the last one gave the outcome
        spending.enter(self.name)
        try:
            outcome = await self._ask(ask, prompt, spent, used)
            spent.answers = int(isinstance(outcome, Completion))
        finally:
            spending.leave(self.name)
            spending.add(self.name, _read_round(ask), used[-1], spent)
        usage = {"agent": self.name, "round": _read_round(ask), "kind": ask.kind, "model": used[-1], **spent.to_dict()}
        if isinstance(outcome, NoAnswer):
            self._notify("silent", ask, used[-1], outcome.why)
            return Reply(None, outcome.why, usage)
        registered = find_question(ask)
        schema = registered[1].answer if registered else ask.about.get("answer")
        shape, text, finish = schema if isinstance(schema, Mapping) else {}, outcome.text, outcome.finish
        body = retry_on_parser_fault(lambda: answer_reader.read_answer(text, shape, finish))
        body = _reject_other_proposal(ask, body, outcome.text)
        if outcome.hid or self._has_key(body):
            # Hidden in place, it would make another answer of it: a name or a text in code that nobody wrote.
            body = make_unreadable(HOLDS_A_KEY, outcome.text[: answer_reader.SAID_MAX] if outcome.hid else "")
        self._said[strip_attempt(ask.id)] = outcome.text
        self._notify("unreadable" if UNREADABLE in body else "answered", ask, used[-1], outcome.text)
        return Reply(body, None, usage)

    async def _ask(self, ask: Ask, prompt: Prompt, spent: Usage, used: list[str]) -> Completion | NoAnswer:
        """The first model's outcome, or the fallback's where the first failed."""
        names = [self.model]
        if (fallback := self.table.llm.fallback_model) and resolve_model_name(fallback) != self.model:
            names.append(resolve_model_name(fallback))
        key = hashlib.sha256(self.name.encode()).hexdigest()[:16]
        outcome: Completion | NoAnswer = NoAnswer(f"{self.model} was not asked")
        for name in names:
            speaker = self.table.find_client(name)
            last = name == names[-1]
            if speaker.hopeless and not last:
                continue
            used.append(name)
            self._notify("thinking", ask, name)
            try:
                outcome = await speaker.ask(
                    prompt, self.table.find_limiter(name), key, spent, partial(self._report_writing, ask, name)
                )
            except BudgetSpent:
                self.table.spending.leave(self.name)
                await self.table.spending.wait_until_idle()  # what is under way was paid for: let it arrive and be kept
                self.table.spending.enter(self.name)
                raise
            except ParticipantError as e:
                raise ParticipantError(f"{self.name} cannot be asked: {self.table.scrub(str(e))}") from e
            if isinstance(outcome, Completion):
                return outcome
            if outcome.hopeless and not speaker.has_answered:
                speaker.hopeless = outcome.why
                if last:
                    raise ParticipantError(f"{self.name} cannot be asked: {outcome.why}")
        return outcome

    def _has_key(self, body: Mapping[str, Any]) -> bool:
        """Also where the key was spelled with escapes, which the scrubbing of the text could not see."""
        text = json.dumps(body, ensure_ascii=False)
        return self.table.scrub(text) != text

    def _report_writing(self, ask: Ask, model: str, characters: int) -> None:
        self._notify("writing", ask, model, characters=characters)

    def _notify(self, what: Any, ask: Ask, model: str, text: str = "", characters: int = 0) -> None:
        spending = self.table.spending
        self.table.watch(
            Progress(
                what,
                self.name,
                ask.kind,
                model,
                text,
                characters,
                tuple(spending.under_way),
                spending.total.tokens,
                spending.total.cost_usd,
            )
        )


def _read_round(ask: Ask) -> int:
    number = ask.about.get("round")
    return number if isinstance(number, int) else 0


def _reject_other_proposal(ask: Ask, body: dict[str, Any], text: str) -> dict[str, Any]:
    """An evaluation that names another proposal than the one asked about is none of this one."""
    proposal = ask.about.get("proposal")
    stated_id = body.get("proposal_id")
    if (
        ask.kind == "evaluate"
        and isinstance(proposal, Mapping)
        and stated_id
        and stated_id != proposal.get("proposal_id")
    ):
        why = f"this evaluates {stated_id}; you were asked about {proposal.get('proposal_id')}"
        return make_unreadable(why, text[: answer_reader.SAID_MAX])
    return body


def seat(
    llm: LLMConfig,
    names: Iterable[str],
    *,
    model: str | None = None,
    roles: Mapping[str, str] | None = None,
    models: Mapping[str, str] | None = None,
    table: Table | None = None,
    watch: Watch | None = None,
) -> dict[str, Participant]:
    """A participant for each of `names` that has a model: its own (`llm.models`, then `models`), else the default.

    `model` is the default, as `choose_model` found it; `models` are those that the classes ask for (`MODEL = "…"`);
    `roles` are SYSTEM_PROMPTs, for questions that carry no card. All share one table: budget, usage, lanes. Names
    without a model, or with one that is not a model (`rules`, `scripted:…`), are left for others to seat.
    Raises UsageError for a name that means no model; nothing is imported or asked yet.
    """
    table = table or Table.of(llm, watch)
    default = model or llm.model
    seated: dict[str, Participant] = {}
    for name in names:
        own = llm.models.get(name) or (models or {}).get(name) or default
        if own and is_model(own):
            own = resolve_model_name(own)
            table.find_client(own)
            seated[name] = LLMParticipant(name, own, table, (roles or {}).get(name, ""))
    return seated
