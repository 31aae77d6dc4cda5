"""Questions about named options that one party can answer without a table of scores, and what each answer says.

Most are graded: the least liked gets 0, the best 10, the others a whole number between. An order of five options holds
7 bits, their grades 12: with at most 15 questions that decides whether anything can be proved (docs/consent.md).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.elicitation.preference_model import UNIT, Floats, PreferenceModel
from graphbus_core.negotiation.consent.scenario.model import Forbidden, Issue, Limit, Package, RedLine, Scenario
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
    "read_back": "This is how your words will be checked. Is it what you mean?",
    "contradiction": "These answers of yours cannot all be meant. Which one is not? The number of one of them.",
}


def build_red_lines_ask(scenario: Scenario, name: str) -> Ask:
    """For red lines in one's own words."""
    return _build_ask(scenario, name, "red_lines", WHAT["red_lines"], [], {"lines": {"type": "array", "items": _TEXT}})


def build_read_back_ask(scenario: Scenario, name: str, number: int, red_line_text: str, read: str) -> Ask:
    """For a yes to how a red line was read."""
    text = f"{WHAT['read_back']} You said: {red_line_text!r}. Checked is: {read}."
    return _build_ask(scenario, name, f"read_back:{number}", text, ["yes", "no"], _CHOICE)


def build_minimum_ask(scenario: Scenario, name: str) -> Ask:
    """For what a deal must reach."""
    return _build_ask(scenario, name, "minimum", WHAT["minimum"], [], {"share": {"type": "number"}})


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


# A red line in somebody's own words, read as one that can be checked; and said back in words that name the options.
#
# Only what names options or numbers of the decision is read: "no plain files", "never dynamo with disk encryption", "at
# most 6000 a month", "it must be postgres". Anything else is None: it stands as text, and nobody pretends to check it.


_MOST = re.compile(r"\b(?:at most|no more than|not more than|up to|below|under|max(?:imum)?)\s+(-?\d[\d,.]*)", re.I)
_LEAST = re.compile(r"\b(?:at least|no less than|not less than|above|over|min(?:imum)?)\s+(-?\d[\d,.]*)", re.I)
_NEVER = re.compile(r"\b(?:no|not|never|without|nothing|avoid|reject|exclude|cannot|can't|won't|don't)\b", re.I)
_MUST = re.compile(r"\b(?:must|only|has to|have to|needs? to|insist)\b", re.I)


def parse_red_line(owner: str, text: str, issues: Sequence[Issue]) -> RedLine | None:
    """The red line that the text is, or None where it names nothing that can be checked."""
    limit = _parse_limit(text, issues)
    if limit is not None:
        return RedLine(owner, limit, text.strip())
    named_options = _find_named_options(text, issues)
    if not named_options:
        return None
    if _NEVER.search(text):
        return RedLine(owner, Forbidden({i: frozenset(o) for i, o in named_options.items()}), text.strip())
    if _MUST.search(text) and len(named_options) == 1:
        (issue, wanted_options), *_ = named_options.items()
        others = frozenset(range(len(issues[issue].options))) - frozenset(wanted_options)
        return RedLine(owner, Forbidden({issue: others}), text.strip()) if others else None
    return None


def describe_check(line: RedLine, issues: Sequence[Issue]) -> str:
    """What will be checked, in words."""
    rule = line.rule
    if isinstance(rule, Limit):
        names = " + ".join(issues[i].name for i in rule.issues)
        bounds = [f"{w} {v:g}" for w, v in (("at least", rule.at_least), ("at most", rule.at_most)) if v is not None]
        return f"{names} must be {' and '.join(bounds)}"
    assert isinstance(rule, Forbidden), "words give a combination or a limit"
    parts = [
        f"{issues[i].name} is {' or '.join(issues[i].options[o] for o in sorted(options))}"
        for i, options in rule.combination.items()
    ]
    return f"never a deal in which {' and '.join(parts)}"


def _parse_limit(text: str, issues: Sequence[Issue]) -> Limit | None:
    most, least = _MOST.search(text), _LEAST.search(text)
    if most is None and least is None:
        return None
    numeric = [n for n, i in enumerate(issues) if i.numbers is not None]
    named_issues = [n for n in numeric if _mentions(text, issues[n].name) or _mentions(text, issues[n].title)]
    chosen = named_issues if len(named_issues) == 1 else numeric if len(numeric) == 1 else []
    if not chosen:
        return None
    return Limit((chosen[0],), _parse_number(least), _parse_number(most))


def _parse_number(match: re.Match[str] | None) -> float | None:
    return None if match is None else float(match[1].rstrip(".,").replace(",", ""))


def _find_named_options(text: str, issues: Sequence[Issue]) -> dict[int, set[int]]:
    """The options that the text names, by issue; a number only beside its issue's name."""
    out: dict[int, set[int]] = {}
    for i, issue in enumerate(issues):
        for o, option in enumerate(issue.options):
            if issue.numbers is not None and not _mentions(text, issue.name):
                continue
            if _mentions(text, option) or (len(option) > 3 and _mentions(text, issue.meanings.get(option, ""))):
                out.setdefault(i, set()).add(o)
    return out


def _mentions(text: str, name: str) -> bool:
    return bool(name) and re.search(rf"(?<!\w){re.escape(name.strip())}(?!\w)", text, re.I) is not None
