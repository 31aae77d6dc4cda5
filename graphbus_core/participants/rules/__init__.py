"""The rule negotiators: offline they mend what evidence says how to mend, and ask where there is none.

What they do, and no more (design §10): with evidence rename the consumer's field, make a field optional that has a
default, widen a type where the body takes it, pass a field through; align a contract with what its method really
returns; evaluate by the contracts; arbitrate by seed 000's order. Without evidence they ask, with the candidates.

evidence     what a repair may rest on, and the one table of confidence
repairs      from evidence to a diff
questions    what is asked where there is none
takes        whether a body takes a wider type
names        what two names say about each other
"""

from __future__ import annotations

from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.rules.arbitrate import arbitrate
from graphbus_core.participants.rules.evaluate import evaluate
from graphbus_core.participants.rules.propose import propose

ANSWERS = {"propose": propose, "evaluate": evaluate, "arbitrate": arbitrate}


class RulesParticipant:
    """Answers every question of a proposal negotiation from the question alone: the same ask, the same answer."""

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The rules' answer, or silence for a kind of question that they do not know."""
        rule = ANSWERS.get(ask.kind)
        if rule is None:
            return Reply(None, f"the rule negotiators do not answer {ask.kind!r} questions")
        return Reply(rule(ask.about))


class OutsideParticipant(RulesParticipant):
    """Speaks for a component that is written elsewhere: it judges by its contract, and proposes no change of it."""

    async def answer(self, ask: Ask, view: View) -> Reply:
        """As the rules; no proposal, since nobody here could carry one out."""
        return Reply({"proposals": []}) if ask.kind == "propose" else await super().answer(ask, view)
