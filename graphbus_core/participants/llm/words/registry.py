"""The registry of questions: for each kind, how it is put to a model and what typed answer it takes.

A negotiation's kinds form a family, because they share the part of a prompt that never changes: its rules and the
form of every answer. A kind that nobody registered is asked from what the ask itself carries: `about["instructions"]`
(text) and `about["answer"]` (a JSON Schema); all else in `about` is shown as data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.negotiation.core import Ask, Event, Json

Facts = tuple[tuple[int, Event], ...]


@dataclass(frozen=True)
class Question:
    """One kind of question.

    `asks` says in words what is wanted and in which form; it stands in the unchanging part. `answer` is the JSON
    Schema of the answer. `tell` writes what is particular to one ask, given what the participant may see.
    """

    kind: str
    asks: str
    answer: Mapping[str, Any]
    tell: Callable[[Ask, Facts], str]


@dataclass(frozen=True)
class Family:
    """The questions of one negotiation. `rules` opens every prompt; `know` writes what seldom changes (own cards).

    `claims` tells whether an ask of one of its kinds is its own, where two negotiations use the same word.
    """

    name: str
    rules: str
    know: Callable[[Json], str]
    questions: dict[str, Question] = field(default_factory=dict)
    claims: Callable[[Ask], bool] = lambda ask: True

    def unchanging(self) -> str:
        """The rules and the form of every answer: the same for every agent and every question of the family."""
        return "\n\n".join([self.rules, *(f"### {q.kind}\n{q.asks}" for q in self.questions.values())])


_FAMILIES: dict[str, Family] = {}


def register(family: Family) -> Family:
    """Make a family's kinds known. Registering the same name again replaces it."""
    _FAMILIES[family.name] = family
    return family


def question_for(ask: Ask) -> tuple[Family, Question] | None:
    """The registered family and question of this ask, or None.

    An ask that carries its own `instructions` and `answer` is put as it says, whatever is registered.
    """
    if "instructions" in ask.about and "answer" in ask.about:
        return None
    for family in _FAMILIES.values():
        if ask.kind in family.questions and family.claims(ask):
            return family, family.questions[ask.kind]
    return None


def kinds() -> tuple[str, ...]:
    """Every registered kind."""
    return tuple(dict.fromkeys(kind for family in _FAMILIES.values() for kind in family.questions))
