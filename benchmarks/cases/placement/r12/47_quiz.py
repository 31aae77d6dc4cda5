# pure
"""The dispatch over kinds of question is filled while importing; marking looks at one answer only."""
from dataclasses import dataclass
from functools import singledispatch
from typing import Union

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Choice:
    right: frozenset[str]


@dataclass(frozen=True)
class Number:
    value: float
    slack: float = 0.0


@dataclass(frozen=True)
class Text:
    accepted: tuple[str, ...]


Question = Union[Choice, Number, Text]

QUIZ: dict[str, Question] = {
    "capital": Text(("bern", "berne")),
    "pi": Number(3.14159, 0.01),
    "primes": Choice(frozenset({"2", "5", "7"})),
    "legs": Number(8),
}


@singledispatch
def mark(question: object, answer: str) -> float:
    raise TypeError(type(question).__name__)


@mark.register
def _(question: Choice, answer: str) -> float:
    picked = {part.strip() for part in answer.split(",") if part.strip()}
    hits = len(picked & question.right) - len(picked - question.right)
    return max(0, hits) / len(question.right)


@mark.register
def _(question: Number, answer: str) -> float:
    try:
        value = float(answer.replace(",", "."))
    except ValueError:
        return 0.0
    return 1.0 if abs(value - question.value) <= question.slack else 0.0


@mark.register
def _(question: Text, answer: str) -> float:
    return float(answer.strip().casefold() in question.accepted)


class QuizMarker(GraphBusNode):
    @subscribe("/Quiz/Answer")
    def on_answer(self, pupil: str, question: str, answer: str) -> dict[str, object]:
        if question not in QUIZ:
            return {"pupil": pupil, "points": 0.0, "feedback": "no such question"}
        share = mark(QUIZ[question], answer)
        feedback = "right" if share == 1 else "partly right" if share else "wrong"
        return {"pupil": pupil, "points": round(10 * share, 2), "feedback": feedback}

    @subscribe("/Quiz/Sheet")
    def on_sheet(self, pupil: str, answers: dict[str, str]) -> dict[str, object]:
        marks = {name: mark(QUIZ[name], text) for name, text in sorted(answers.items()) if name in QUIZ}
        return {"pupil": pupil, "total": round(10 * sum(marks.values()), 2), "out_of": 10 * len(QUIZ)}
