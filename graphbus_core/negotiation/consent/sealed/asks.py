"""The questions of the sealed mediator as asks: all that whoever answers needs, and whether an answer is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.negotiation.consent.scenario.scenario import Scenario
from graphbus_core.negotiation.consent.sealed.queries import GRADED, TOP, Query
from graphbus_core.negotiation.core import Ask, Json

RULES = (
    "A mediator looks for a deal that is good for everyone at a table. It asks about named options. "
    "Answer for yourself, honestly: nobody else sees your answers, and no number of yours is told to anyone. "
)
WHAT = {
    "red_lines": "What can you not accept? One sentence each, naming options; an empty list if there is nothing.",
    "minimum": (
        "How good must a deal be to be better than no deal for you? 0: any deal will do; 100: nothing but the best "
        "deal you could get."
    ),
    "read_back": "This is how your words will be checked. Is it what you mean?",
    "contradiction": "These answers of yours cannot all be meant. Which one is not? The number of one of them.",
}


def red_lines_ask(scenario: Scenario, name: str) -> Ask:
    """For red lines in one's own words."""
    return _ask(scenario, name, "red_lines", WHAT["red_lines"], [], {"lines": {"type": "array", "items": _TEXT}})


def read_back_ask(scenario: Scenario, name: str, number: int, said: str, read: str) -> Ask:
    """For a yes to how a red line was read."""
    text = f"{WHAT['read_back']} You said: {said!r}. Checked is: {read}."
    return _ask(scenario, name, f"read_back:{number}", text, ["yes", "no"], _CHOICE)


def minimum_ask(scenario: Scenario, name: str) -> Ask:
    """For what a deal must reach."""
    return _ask(scenario, name, "minimum", WHAT["minimum"], [], {"share": {"type": "number"}})


def compare_ask(scenario: Scenario, name: str, number: int, question: Query) -> Ask:
    """For a comparison."""
    text, answers = question.said(scenario.issues)
    form = _GRADES if question.kind in GRADED else _CHOICE
    more = {"question": question.to_dict(), "shape": [len(i.options) for i in scenario.issues]}
    return _ask(scenario, name, f"compare:{number}", text, answers, form, more)


def contradiction_ask(scenario: Scenario, name: str, number: int, said: Sequence[str]) -> Ask:
    """For which of the answers that contradict each other is not meant."""
    return _ask(scenario, name, f"contradiction:{number}", WHAT["contradiction"], list(said), _CHOICE)


_TEXT = {"type": "string"}
_CHOICE = {"choice": {"type": "integer", "minimum": 1}}
_GRADES = {"grades": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": TOP}}}


def _ask(
    scenario: Scenario,
    name: str,
    what: str,
    text: str,
    answers: list[str],
    form: Mapping[str, Any],
    more: Mapping[str, Any] | None = None,
) -> Ask:
    seat = scenario.advocate(name)
    about = {
        "instructions": f"{RULES}\n\n{text}",
        "answer": {"type": "object", "required": list(form), "properties": dict(form)},
        "topic": scenario.topic,
        "you": name,
        "priority": seat.priority,
        "brief": seat.brief,
        "text": text,
        "answers": {str(n): a for n, a in enumerate(answers, 1)},
        **(more or {}),
    }
    return Ask(f"{what}:{name}", name, what.partition(":")[0], about)


def why_not(ask: Ask, body: Json) -> str | None:
    """Why the body is not an answer to the ask, in words its author can act on; None if it is one."""
    if ask.kind == "red_lines":
        lines = body.get("lines")
        fine = (
            isinstance(lines, list) and all(isinstance(x, str) and len(x) <= 2_000 for x in lines) and len(lines) <= 40
        )
        return None if fine else "'lines' is a list of at most 40 sentences"
    if ask.kind == "minimum":
        share = body.get("share")
        fine = isinstance(share, int | float) and not isinstance(share, bool) and 0 <= share <= 100
        return None if fine else "'share' is a number from 0 to 100"
    if ask.kind == "compare":
        question = Query.from_dict(ask.about["question"])
        return question.wrong(ask.about["shape"], chosen(question, body))
    choice = body.get("choice")
    count = len(ask.about["answers"])
    fine = isinstance(choice, int) and not isinstance(choice, bool) and 1 <= choice <= count
    return None if fine else f"'choice' is a number from 1 to {count}"


def chosen(question: Query, body: Json) -> Any:
    """The answer as the question takes it: a number from 0, or grades."""
    if question.kind not in GRADED:
        choice = body.get("choice")
        return choice - 1 if isinstance(choice, int) and not isinstance(choice, bool) else None
    grades = body.get("grades")
    return list(grades) if isinstance(grades, list | tuple) else None
