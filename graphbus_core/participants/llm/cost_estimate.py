"""What a build would cost, before the first call: calls, tokens and money, from the real prompts (`--estimate`).

The first phase's prompts are written exactly as they would be sent. Who will evaluate is not known before there are
proposals, so every agent is taken to propose once a round and to be evaluated by each of its neighbours, and no answer
to be refused: a round of a busy build. It is a plan, not a bound; bounds are `max_cost_usd` and the like.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.negotiation.core import Ask, Participant
from graphbus_core.participants.llm.participant import LLMParticipant
from graphbus_core.participants.llm.prompts import Prompt
from graphbus_core.participants.llm.questions import PROPOSAL
from graphbus_core.participants.llm.transport import CHARACTERS_PER_TOKEN
from graphbus_core.participants.llm.usage import Usage, compute_price_usd, is_priced_by_name
from graphbus_core.text import format_count

QUESTION_CHARACTERS = 1_600  # the changing part of an evaluation: a proposal and what was computed of it
ANSWER_TOKENS = {"propose": 500, "evaluate": 200, "arbitrate": 300}
SPLITS = 0.1  # share of proposals that go to an arbiter, where there is one


@dataclass
class Estimate:
    """Calls, characters and tokens of a build, and its price: that of the models whose price is known."""

    rounds: int
    agents: int
    calls: int = 0
    characters: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    calls_by_kind: dict[str, int] = field(default_factory=dict)
    models: dict[str, int] = field(default_factory=dict)
    unpriced_models: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {**vars(self), "cost_usd": round(self.cost_usd, 4), "unpriced_models": list(self.unpriced_models)}

    def summarize(self) -> str:
        """For people."""
        if not self.calls:
            return "No model would be asked; this build costs nothing."
        kinds = ", ".join(f"{n} {kind}" for kind, n in self.calls_by_kind.items())
        text = (
            f"At most {format_count(self.rounds, 'round')} of {format_count(self.agents, 'agent')}: about "
            f"{format_count(self.calls, 'call')} ({kinds}), {self.input_tokens:,} tokens in, {self.output_tokens:,} out"
        )
        if set(self.models) - set(self.unpriced_models):  # "$0.00" would promise that it costs nothing
            text += f", ${self.cost_usd:.2f} before what prompt caches save"
        if self.unpriced_models:
            text += f"; no price is known for {', '.join(self.unpriced_models)}, whose tokens are counted only"
        return text + "."


def estimate(
    seats: Mapping[str, Participant], asks: Iterable[Ask], rounds: int = 1, arbiters: int | Sequence[str] = 0
) -> Estimate:
    """The plan for `rounds` rounds, of which `asks` are the open questions of the first (`session.pending()`).

    `seats` are those of the build; who is not a model costs nothing. `arbiters`: their names in the order in which they
    are asked, because one may have a model of its own; or how many there are, with the model of the first agent.
    """
    plan = Estimate(rounds, 0)
    unknown: set[str] = set()
    prompts: dict[str, tuple[LLMParticipant, Ask, Prompt]] = {}
    contested = 0
    for ask in asks:
        seat = seats.get(ask.to)
        contested += rounds * (ask.kind == "propose")
        if isinstance(seat, LLMParticipant):
            prompts[ask.to] = (seat, ask, seat.build_prompt(ask))
    plan.agents = len(prompts)
    for seat, ask, prompt in prompts.values():
        _add_calls(plan, unknown, seat.model, ask.kind, len(prompt), rounds)
        if ask.kind != "propose":
            continue
        for neighbour in ask.about.get("neighbours") or ():
            evaluator = prompts.get(str(neighbour.get("name")))
            if evaluator is not None:
                lasting = len(evaluator[2].system) + len(evaluator[2].stable)
                _add_calls(plan, unknown, evaluator[0].model, "evaluate", lasting + QUESTION_CHARACTERS, rounds)
    judge = seats.get(arbiters[0]) if isinstance(arbiters, Sequence) and arbiters else None
    if isinstance(arbiters, int) and arbiters and prompts:
        judge = next(iter(prompts.values()))[0]
    if isinstance(judge, LLMParticipant) and contested:
        splits = max(1, round(contested * SPLITS))
        characters = len(PROPOSAL.render_rules()) + 3 * QUESTION_CHARACTERS
        _add_calls(plan, unknown, judge.model, "arbitrate", characters, splits)
    plan.unpriced_models = tuple(sorted(unknown))
    return plan


def _add_calls(plan: Estimate, unknown: set[str], model: str, kind: str, characters: int, times: int) -> None:
    usage = Usage(input_tokens=characters // CHARACTERS_PER_TOKEN, output_tokens=ANSWER_TOKENS.get(kind, 300))
    if is_priced_by_name(model):
        plan.cost_usd += times * (compute_price_usd(model, usage) or 0.0)
    else:
        unknown.add(model)
    plan.calls += times
    plan.characters += times * characters
    plan.input_tokens += times * usage.input_tokens
    plan.output_tokens += times * usage.output_tokens
    plan.calls_by_kind[kind] = plan.calls_by_kind.get(kind, 0) + times
    plan.models[model] = plan.models.get(model, 0) + times
