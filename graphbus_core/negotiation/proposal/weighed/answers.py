"""Whether an answer is one: read, and tried on the contracts that the ask itself carries.

Needs the ask alone (design §2), so that the driver may send a retry early and a restart refuses the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphbus_core.model.operation import AddAgent, operations
from graphbus_core.negotiation.core.protocol import Ask, Json
from graphbus_core.negotiation.proposal.said import forms, meaning
from graphbus_core.negotiation.proposal.said.seen_code import must_be_as_seen
from graphbus_core.negotiation.proposal.weighed.effects import Inapplicable, sketch
from graphbus_core.negotiation.proposal.weighed.ground import Surface


def check(ask: Ask, body: Json) -> str | None:
    """Why `body` is not an answer to `ask`, or None."""
    if not isinstance(body, Mapping):
        return "an answer is an object"
    try:
        match ask.kind:
            case "propose":
                _check_proposals(ask, body)
            case "evaluate":
                _check_evaluation(ask, body)
            case "arbitrate":
                _check_ruling(ask, body)
            case "approve":
                forms.read_approval(body)
            case "choose":
                meaning.read_choice(body, [c["name"] for c in ask.about["candidates"]])
            case _:
                return f"{ask.kind} is not a question of this negotiation"
    except (forms.Unreadable, Inapplicable) as e:
        return str(e)
    return None


def _check_proposals(ask: Ask, body: Json) -> None:
    asked = meaning.read_questions(body, ask.to)
    proposals = [*forms.read_proposals(body, ask.to), *(c["proposal"] for q in asked for c in q["candidates"])]
    if not proposals:
        return
    shown = _Shown([ask.about["card"], *ask.about["neighbours"], *ask.about.get("along", ())])
    for given in forms.given_proposals(body):
        must_be_as_seen(given, ask.to, shown.cards)
    for one in proposals:
        shown.must_hold(one["diff"])
        sketch(operations(one["diff"]), shown.surface)


def _check_evaluation(ask: Ask, body: Json) -> None:
    read = forms.read_evaluation(body, ask.to)
    if read["counter_proposal"]:
        # Whether it fits is seen next round: it may build on what this proposal adds.
        named = [op["node"] for op in ask.about["proposal"]["diff"]]
        shown = _Shown([ask.about["card"], *ask.about["neighbours"]], named)
        must_be_as_seen(body["counter_proposal"], ask.to, shown.cards)
        shown.must_hold(read["counter_proposal"]["diff"])


def _check_ruling(ask: Ask, body: Json) -> None:
    proposals: Sequence[Mapping[str, Any]] = ask.about["proposals"]
    read = forms.read_ruling(body, proposals)
    shown = _Shown(ask.about["cards"])
    if read["committed_diff"]:
        shown.must_hold(read["committed_diff"])
        allowed = set(ask.about["computed"][read["proposal_id"]]["files"])
        for op in read["committed_diff"]:
            file = op.get("path") or shown.files[op["node"]]
            if file not in allowed:
                raise forms.Unreadable(f"the diff adds {file}; an arbiter may change a diff, not add files to it")
        sketch(operations(read["committed_diff"]), shown.surface)
    for part in read["deferred"]:
        shown.must_hold(part["diff"])


class _Shown:
    """The agents that whoever answers has been shown."""

    def __init__(self, cards: Iterable[Mapping[str, Any]], also: Iterable[str] = ()) -> None:
        self.cards = {card["name"]: card for card in cards}
        self.files = {name: card["file"] for name, card in self.cards.items()}
        self.also = set(also)

    def must_hold(self, diff: Iterable[Mapping[str, Any]]) -> None:
        """Raises Unreadable for an operation on an agent that was not shown."""
        for op in diff:
            if op["op"] == AddAgent.op:  # nobody can be shown what is not there yet; whether it may be is for the gates
                continue
            if op["node"] not in self.cards and op["node"] not in self.also:
                raise forms.Unreadable(
                    f"the diff touches {op['node']}; the agents that you are shown are {', '.join(self.cards)}"
                )

    def surface(self, node: str) -> Surface | None:
        """The contracts on a card."""
        card = self.cards.get(node)
        return None if card is None else Surface.of_card(card)
