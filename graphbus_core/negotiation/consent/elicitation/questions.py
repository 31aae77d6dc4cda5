"""Questions about named options that one party can answer without a table of scores, and what each answer says.

Most are graded: the least liked gets 0, the best 10, the others a whole number between. An order of five options holds
7 bits, their grades 12: with at most 15 questions that decides whether anything can be proved (docs/consent.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.elicitation.preference_model import UNIT, Floats, PreferenceModel
from graphbus_core.negotiation.consent.red_lines.reading import Reading
from graphbus_core.negotiation.consent.red_lines.wording import FORMS, describe_excluded
from graphbus_core.negotiation.consent.scenario.model import Issue, Package, Scenario
from graphbus_core.negotiation.core import Ask, Json

NO_DEAL = "no deal"
TOP = 10  # the grade of the best; 0 is that of the least liked
SAME = 0.005  # of what lies between 0 and 10: so near are two that are "as good as" each other


class QueryKind(StrEnum):
    """What is compared."""

    OPTIONS = "options"  # of one issue, graded
    SWING = "swing"  # issues: what it matters to go from the worst to the best option, graded
    DEALS = "deals"  # a few packages, and perhaps no deal, graded
    PAIR = "pair"  # two packages: one, the other, or the same
    DEAL = "deal"  # one package, or no deal


GRADED = frozenset({QueryKind.OPTIONS, QueryKind.SWING, QueryKind.DEALS})


@dataclass(frozen=True, slots=True)
class Query:
    """One question. OPTIONS: an `issue`; SWING: `packages` of everyone's worst and best options; PAIR: two; DEAL: one.

    `none`: no deal is graded as well, last. An answer is the number of what is chosen, from 0; of the graded ones a
    grade for each.
    """

    kind: QueryKind
    packages: tuple[Package, ...] = ()
    issue: int = -1
    none: bool = False

    def count(self, shape: Sequence[int]) -> int:
        """How many things are graded, or can be chosen."""
        if self.kind is QueryKind.OPTIONS:
            return shape[self.issue]
        if self.kind is QueryKind.SWING:
            return len(shape)
        if self.kind is QueryKind.DEALS:
            return len(self.packages) + self.none
        return 3 if self.kind is QueryKind.PAIR else 2

    def explain_fault(self, shape: Sequence[int], answer: Any) -> str | None:
        """Why this is not an answer to it; None if it is one."""
        count = self.count(shape)
        if self.kind not in GRADED:
            whole = isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < count
            return None if whole else f"answer with a number from 1 to {count}"
        fine = isinstance(answer, list | tuple) and len(answer) == count
        fine = fine and all(isinstance(g, int) and not isinstance(g, bool) and 0 <= g <= TOP for g in answer)
        if not fine:
            return f"give {count} grades, whole numbers from 0 to {TOP}, in the order of the list"
        if len(set(answer)) == 1 and (self.kind is not QueryKind.SWING or answer[0] == 0):
            return None  # all the same to this party
        if max(answer) != TOP:
            return f"the one that you like best, or that matters most, gets {TOP}"
        if self.kind is not QueryKind.SWING and min(answer) != 0:
            return "the one that you like least gets 0"
        return None

    def to_dict(self) -> dict[str, Any]:
        """As it is kept."""
        return {
            "kind": self.kind.value,
            "packages": [list(p) for p in self.packages],
            "issue": self.issue,
            "none": self.none,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Query:
        """Inverse of `to_dict`."""
        packages = tuple(tuple(int(o) for o in p) for p in data["packages"])
        return cls(QueryKind(data["kind"]), packages, int(data["issue"]), bool(data.get("none")))

    def describe(self, issues: Sequence[Issue]) -> tuple[str, list[str]]:
        """The question in words, and its answers (or what is graded) in words, in their order."""
        grades = f"Grade each from 0 to {TOP}"
        if self.kind is QueryKind.OPTIONS:
            issue = issues[self.issue]
            name = f"{issue.name} ({issue.title})" if issue.title else issue.name
            return f"{grades} for {name}: the one you like least 0, the one you like best {TOP}.", [
                _describe_meaning(issue, o) for o in range(len(issue.options))
            ]
        if self.kind is QueryKind.SWING:
            worst, best = self.packages
            moves = [
                f"{_describe_option(x, b)} instead of {_describe_meaning(x, w)}"
                for x, w, b in zip(issues, worst, best, strict=True)
            ]
            question_text = f"How much does each change matter to you, from 0 to {TOP}? The most important gets {TOP}."
            return question_text, moves
        if self.kind is QueryKind.DEAL:
            return "Would you take this deal, or rather no deal at all?", [
                describe_package(issues, self.packages[0]),
                NO_DEAL,
            ]
        differ = [i for i in range(len(issues)) if len({p[i] for p in self.packages}) > 1]
        same = [i for i in range(len(issues)) if i not in differ]
        rest = (
            f" In all of them: {'; '.join(_describe_option(issues[i], self.packages[0][i]) for i in same)}."
            if same
            else ""
        )
        descriptions = ["; ".join(_describe_option(issues[i], p[i]) for i in differ) for p in self.packages]
        if self.kind is QueryKind.DEALS:
            descriptions += [NO_DEAL] if self.none else []
            return f"{grades}: the deal you like least 0, the one you like best {TOP}.{rest}", descriptions
        return f"Which would you rather have?{rest}", [*descriptions, "the same to me"]

    def apply_answer(self, fitting: PreferenceModel, answer: Any) -> bool:
        """Tell the cloud of this answer; False where it contradicts what is known."""
        if self.kind is QueryKind.DEAL:
            return fitting.decide(self.packages[0], answer == 0)
        is_consistent = fitting.learn(*self.build_inequalities(fitting, answer))
        if is_consistent:
            self.record_ends(fitting, answer)
        return is_consistent

    def record_ends(self, fitting: PreferenceModel, answer: Any) -> None:
        """Of an issue's grades: which option is the worst and which the best. All the same: the first is both."""
        if self.kind is QueryKind.OPTIONS:
            fitting.ends[self.issue] = (answer.index(min(answer)), answer.index(max(answer)))

    def build_inequalities(self, fitting: PreferenceModel, answer: Any) -> tuple[list[Floats], list[float]]:
        """The answer as inequalities. All but the unit hold whatever the unit of worths is."""
        if self.kind is QueryKind.DEAL:
            none = fitting.build_no_deal_row()
            if none is None:
                return [], []
            apart = fitting.build_package_row(self.packages[0]) - none
            return [apart if answer == 0 else -apart], [0.0]
        if self.kind is QueryKind.PAIR:
            apart = fitting.build_package_row(self.packages[0]) - fitting.build_package_row(self.packages[1])
            rows = [apart, -apart] if answer == 2 else [apart if answer == 0 else -apart]
            return rows, [0.0] * len(rows)
        items = self._build_items(fitting)
        if len(items) < len(answer):
            return [], []  # the ends that "no deal" is measured by were taken back: its grade says nothing now
        if self.kind is QueryKind.SWING:
            if max(answer) == 0:
                return [], []
            best = items[answer.index(max(answer))]
            rows = _build_grade_rows(fitting.within, items, answer, np.zeros(fitting.width), best)
            return [best, *rows], [UNIT, *([0.0] * len(rows))]  # the greatest change is the unit of all worths
        if len(set(answer)) == 1:
            rows = [sign * (item - items[0]) for item in items[1:] for sign in (1, -1)]
        else:
            least, best = items[answer.index(0)], items[answer.index(TOP)]
            rows = _build_grade_rows(fitting.within, items, answer, least, best)
            if self.kind is QueryKind.OPTIONS and sum(count > 1 for count in fitting.shape) == 1:
                # Nobody is asked what a single issue matters; without a unit nothing would contradict anything.
                return [best - least, *rows], [UNIT, *([0.0] * len(rows))]
        return rows, [0.0] * len(rows)

    def _build_items(self, fitting: PreferenceModel) -> list[Floats]:
        """What multiplies worths to give that of each thing that is graded."""
        if self.kind is QueryKind.OPTIONS:
            return [fitting.build_option_row(self.issue, o) for o in range(fitting.shape[self.issue])]
        if self.kind is QueryKind.SWING:
            worst, best = self.packages
            return [
                fitting.build_option_row(i, best[i]) - fitting.build_option_row(i, worst[i])
                for i in range(len(fitting.shape))
            ]
        items = [fitting.build_package_row(p) for p in self.packages]
        none = fitting.build_no_deal_row() if self.none else None
        return [*items, none] if none is not None else items

    def compute_relative_worths(self, fitting: PreferenceModel) -> NDArray[np.float64]:
        """Where each preference of the cloud sees each deal, 0 for the least and 1 for the best of them."""
        worth = fitting.points @ np.array(self._build_items(fitting)).T
        low, high = worth.min(axis=1, keepdims=True), worth.max(axis=1, keepdims=True)
        return np.asarray((worth - low) / np.maximum(high - low, 1e-9))


def compute_grades(worths: Sequence[float], least: float, best: float) -> list[int]:
    """The grades that these worths get: 0 and 10 only for what is as good as the least and the best."""
    if best - least <= 1e-12:
        return [0] * len(worths)
    out = []
    for worth in worths:
        position = (worth - least) / (best - least)
        grade = round(TOP * position)
        if position > SAME:
            grade = max(1, grade)
        if position < 1 - SAME:
            grade = min(TOP - 1, grade)
        out.append(grade)
    return out


def _build_grade_rows(
    within: float, items: Sequence[Floats], grades: Sequence[int], least: Floats, best: Floats
) -> list[Floats]:
    """A grade as two inequalities: as many steps below and above it, of what lies between 0 and 10, as `within` says.

    0 and 10 are given only to what is as good as the least and the best; so 1 begins, and 9 ends, right there. Whoever
    is known to be less exact (`within` above a half) may have meant a step beside that as well.
    """
    span = best - least
    around = within / TOP
    more = around - 0.5 / TOP
    rows = []
    for item, grade in zip(items, grades, strict=True):
        if item is least or item is best:
            continue
        position = grade / TOP
        low, high = position - around, position + around
        if grade in (0, TOP):
            low, high = (-SAME, SAME + more) if grade == 0 else (1 - SAME - more, 1 + SAME)
        elif grade == 1:
            low = min(0.0, low)
        elif grade == TOP - 1:
            high = max(1.0, high)
        rows += [item - least - low * span, high * span - (item - least)]
    return rows


def _describe_option(issue: Issue, option: int) -> str:
    return f"{issue.name}: {_describe_meaning(issue, option)}"


def _describe_meaning(issue: Issue, option: int) -> str:
    name = issue.options[option]
    meaning = issue.meanings.get(name, "")
    return f"{name} ({meaning})" if meaning else name


def describe_package(issues: Sequence[Issue], outcome: Package) -> str:
    """A package in words."""
    return "; ".join(_describe_option(i, o) for i, o in zip(issues, outcome, strict=True))


# The questions of the sealed mediator as asks: all that whoever answers needs, and whether an answer is one.


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
    "dependence": (
        "Does how much you like an option of one issue depend on what is chosen in another? For example: a car park is "
        "worth something only if you meet out of town."
    ),
    "read_back": "This is what your words exclude. Is it what you mean?",
    "contradiction": "These answers of yours cannot all be meant. Which one is not? The number of one of them.",
}


def build_red_lines_ask(scenario: Scenario, name: str) -> Ask:
    """For red lines in one's own words."""
    return _build_ask(scenario, name, "red_lines", WHAT["red_lines"], [], {"lines": {"type": "array", "items": _TEXT}})


def build_read_back_ask(scenario: Scenario, name: str, number: str, red_line_text: str, reading: Reading) -> Ask:
    """For a yes to how a red line was read; where it can be read in more than one way, for which of them is meant."""
    ways = (reading.excluded,) if reading.excluded is not None else reading.readings
    described = [describe_excluded(way, scenario.issues) for way in ways]
    # By what is said back: a yes to another reading of these words is not a yes to this one.
    digest = hashlib.sha256("\0".join(described).encode()).hexdigest()[:8]
    what = f"read_back:{number}:{digest}"
    if len(described) == 1:
        text = f"{WHAT['read_back']} You said: {red_line_text!r}. {_capitalize(described[0])}."
        return _build_ask(scenario, name, what, text, ["yes", "no"], _CHOICE)
    text = f"This can be read in {len(described)} ways. Which one do you mean? You said: {red_line_text!r}."
    return _build_ask(scenario, name, what, text, [*map(_capitalize, described), "none of these"], _CHOICE)


def build_reword_ask(scenario: Scenario, name: str, number: str, red_line_text: str, reading: Reading) -> Ask:
    """For other words, where a red line was not read, or not as it is meant."""
    why = f" I could not go on from {reading.unread!r}." if reading.unread and not reading.readings else ""
    text = (
        f"This is not applied: {red_line_text!r}.{why} Please say it in other words, for example {FORMS}. An empty "
        "list leaves it to your vote."
    )
    return _build_ask(scenario, name, f"red_lines:{number}", text, [], {"lines": {"type": "array", "items": _TEXT}})


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def build_minimum_ask(scenario: Scenario, name: str) -> Ask:
    """For what a deal must reach."""
    return _build_ask(scenario, name, "minimum", WHAT["minimum"], [], {"share": {"type": "number"}})


BY_ITSELF, DEPENDS = 1, 2  # answers to whether issues depend on each other


def build_dependence_ask(scenario: Scenario, name: str) -> Ask:
    """For whether what is proven of preferences that add up over the issues is proven of this party's."""
    answers = ["no, each counts by itself", "yes, some depend on others"]
    return _build_ask(scenario, name, "dependence", WHAT["dependence"], answers, _CHOICE)


def build_compare_ask(scenario: Scenario, name: str, number: int, question: Query) -> Ask:
    """For a comparison."""
    text, answers = question.describe(scenario.issues)
    form = _GRADES if question.kind in GRADED else _CHOICE
    more = {"question": question.to_dict(), "shape": [len(i.options) for i in scenario.issues]}
    return _build_ask(scenario, name, f"compare:{number}", text, answers, form, more)


def build_contradiction_ask(scenario: Scenario, name: str, number: int, answers: Sequence[str]) -> Ask:
    """For which of the answers that contradict each other is not meant."""
    return _build_ask(scenario, name, f"contradiction:{number}", WHAT["contradiction"], list(answers), _CHOICE)


_TEXT = {"type": "string"}
_CHOICE = {"choice": {"type": "integer", "minimum": 1}}
_GRADES = {"grades": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": TOP}}}


def _build_ask(
    scenario: Scenario,
    name: str,
    what: str,
    text: str,
    answers: list[str],
    form: Mapping[str, Any],
    more: Mapping[str, Any] | None = None,
) -> Ask:
    seat = scenario.find_advocate(name)
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


def explain_invalid_response(ask: Ask, body: Json) -> str | None:
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
        return question.explain_fault(ask.about["shape"], parse_choice(question, body))
    choice = body.get("choice")
    count = len(ask.about["answers"])
    fine = isinstance(choice, int) and not isinstance(choice, bool) and 1 <= choice <= count
    return None if fine else f"'choice' is a number from 1 to {count}"


def parse_choice(question: Query, body: Json) -> Any:
    """The answer as the question takes it: a number from 0, or grades."""
    if question.kind not in GRADED:
        choice = body.get("choice")
        return choice - 1 if isinstance(choice, int) and not isinstance(choice, bool) else None
    grades = body.get("grades")
    return list(grades) if isinstance(grades, list | tuple) else None
