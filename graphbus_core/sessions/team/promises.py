"""What a seat said it would change, held against what its branch changes. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphbus_core.negotiation.team.plan import BEHAVIOUR, BODY, USE, Change
from graphbus_core.negotiation.team.state import Seat, State


def find_broken_promises(state: State, seat: Seat, landed: Sequence[Change]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each planned change that did not land, with those to whom it was made: who relies on it, or settled it."""
    done = {(change.symbol, change.key) for change in landed}
    touched = {change.symbol for change in landed}
    for change in seat.planned:
        if change.kind == USE or (change.symbol, change.key) in done:
            continue
        # What a sentence says, or a body does, shows in the text only as a change of that symbol.
        if change.kind in (BEHAVIOUR, BODY) and change.symbol in touched:
            continue
        to = [other.name for other in state.list_active() if other.name != seat.name and other.find_use(change.symbol)]
        to += [q.find_other(seat.name) for q in state.questions.values()
               if seat.name in q.seats and q.about == change.symbol and q.status == "settled"]  # fmt: skip
        yield tuple(dict.fromkeys(to)), change.render()


def find_unkept_decisions(state: State, seat: Seat, landed: Sequence[Change]) -> Iterator[str]:
    """What was settled of an order or a name, and the branch has otherwise."""
    for question in state.list_questions(seat.name, is_open=False):
        effect = question.decision.get("effect", {})
        name = effect.get("name")
        if name and effect.get("owner") == seat.name:
            given = next((c.to for c in landed if c.symbol == question.about and c.kind == "rename"), name)
            if given != name:
                yield f"{question.id}: you settled on the name {name}, and your branch says {given}."
