"""What is to be decided, and what each advocate wants of it: plain data, with its arithmetic and nothing else.

Options are numbered per issue; an outcome is one option index an issue. Scores are additive, with weights already
multiplied in and conditional scores beside them. It knows no file and no format: `forms`, `games` and `genius` read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from graphbus_core.negotiation.consent.scenario.score_range import ScoreRange, compute_score_range

EPSILON = 1e-9  # scores are decimal numbers in floats: two that differ by less are one
Package = tuple[int, ...]
Terms = Mapping[str, str]


class Preferences(StrEnum):
    """Who knows the preferences that a scenario gives (design §8)."""

    DISCLOSED = "disclosed"  # the mediator does
    PRIVATE = "private"  # each advocate its own, nobody else
    SEALED = "sealed"  # nobody gives any: the mediator asks comparisons, and keeps what fits the answers to itself


class BargainingRule(StrEnum):
    """Which of the efficient packages the mediator tables (`optimum.choices`)."""

    NASH = "nash"
    LEXIMIN = "leximin"
    KALAI_SMORODINSKY = "kalai-smorodinsky"


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing to be decided. `numbers` are the options' values where they are numbers (a range)."""

    name: str
    options: tuple[str, ...]
    numbers: tuple[float, ...] | None = None
    title: str = ""
    meanings: Mapping[str, str] = field(default_factory=dict)

    def index(self, option: str) -> int | None:
        """The option's number; spelling may differ in case and outer blanks."""
        if option in self.options:
            return self.options.index(option)
        # Options come from people and models, who write "yes" for "Yes". Two options that differ in case alone are
        # refused when a scenario is read, so this can never pick the wrong one.
        folded_option = option.strip().casefold()
        return next((i for i, o in enumerate(self.options) if o.strip().casefold() == folded_option), None)


@dataclass(frozen=True, slots=True)
class Conditional:
    """A score that counts only where every issue named in `when` has one of the options given for it."""

    when: Mapping[int, frozenset[int]]
    score: float

    def holds(self, outcome: Package) -> bool:
        """Whether it counts for this outcome."""
        return all(outcome[i] in options for i, options in self.when.items())


@dataclass(frozen=True, slots=True)
class Forbidden:
    """A red line: these options must not come together (one issue alone: none of these options)."""

    combination: Mapping[int, frozenset[int]]

    def is_crossed_by(self, outcome: Package) -> bool:
        """Whether the outcome has the forbidden combination."""
        return all(outcome[i] in options for i, options in self.combination.items())


@dataclass(frozen=True, slots=True)
class Limit:
    """A red line: the sum of these issues' numbers stays within bounds."""

    issues: tuple[int, ...]
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True, slots=True)
class MinimumScore:
    """A red line: the advocate's score is at least this."""

    value: float


@dataclass(frozen=True, slots=True)
class RedLine:
    """What an advocate cannot compromise on, in a form that can be checked. `cost`: what relaxing it costs.

    For a limit or a minimum the cost is per unit; None: one over the range that the number can have, so that 1.0 is
    the whole range. For a forbidden combination it is the cost of dropping it (None: 1.0).
    """

    advocate: str
    rule: Forbidden | Limit | MinimumScore
    text: str
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Trade:
    """What an advocate says it would give, and what for, as options by issue number."""

    give: Mapping[int, int]
    get: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Advocate:
    """One seat: a name, a priority, the four texts of the position statement, and, if it wants, preferences.

    `scores[issue][option]`: weights are multiplied in. None: it argues in text alone.
    """

    name: str
    priority: str = ""
    rationale: str = ""
    red_line: str = ""
    willing_to_trade: str = ""
    # Weights are multiplied in and not kept, so that no reader of a scenario can apply them twice.
    scores: tuple[tuple[float, ...], ...] | None = None
    conditionals: tuple[Conditional, ...] = ()
    minimum: float | None = None
    red_lines: tuple[RedLine, ...] = ()
    trades: tuple[Trade, ...] = ()
    veto: bool = False
    person: str = ""  # who speaks for it; "": it is named as whoever does
    brief: str = ""  # private text for a model that sits here (seed games' individual instructions)
    option_counts: tuple[int, ...] = ()  # how many options each issue has, where `scores` does not tell
    _range: ScoreRange | None = field(default=None, init=False, repr=False, compare=False)

    def score(self, outcome: Package) -> float:
        """How many points the outcome is worth to it; 0 for one that gave no scores."""
        total = sum(c.score for c in self.conditionals if c.holds(outcome))
        if self.scores is not None:
            total += sum(values[option] for values, option in zip(self.scores, outcome, strict=True))
        return total

    @property
    def has_scores(self) -> bool:
        """Whether it gave any score."""
        return self.scores is not None or bool(self.conditionals)

    @property
    def floor(self) -> float:
        """Where it stands without an agreement: its minimum, or the least that its scores can add up to."""
        return self.least if self.minimum is None else self.minimum

    @property
    def least(self) -> float:
        """The least that its scores can add up to over all packages, whether they cross red lines or not."""
        return self.score_range.least

    @property
    def ceiling(self) -> float:
        """The most that its scores can add up to over all packages, whether they cross red lines or not."""
        return self.score_range.greatest

    @property
    def score_range(self) -> ScoreRange:
        """From the least total to the greatest; computed once, since gains are asked for a million times."""
        if self._range is None:
            rows = self.scores or tuple((0.0,) * count for count in self.option_counts)
            found = compute_score_range(rows, [(c.when, c.score) for c in self.conditionals])
            object.__setattr__(self, "_range", found)  # frozen: nothing that it is made of can change
            return found
        return self._range


@dataclass(frozen=True, slots=True)
class Scenario:
    """A decision with its issues and its advocates.

    `quorum`: how many must consent (None: all); those with a veto always must.
    """

    topic: str
    issues: tuple[Issue, ...] = ()
    advocates: tuple[Advocate, ...] = ()
    quorum: int | None = None
    preferences: Preferences = Preferences.DISCLOSED
    max_turns: int | None = None
    output: str | None = None
    work: str | None = None
    opening: Package | None = None  # where the talk starts, if the scenario says so
    choose: BargainingRule = BargainingRule.NASH
    stand_aside: bool = False  # whether somebody may let a proposal pass without supporting it

    @property
    def names(self) -> tuple[str, ...]:
        """The advocates' names, in their order: the order of the turns."""
        return tuple(a.name for a in self.advocates)

    @property
    def quorum_size(self) -> int:
        """How many must consent."""
        return len(self.advocates) if self.quorum is None else self.quorum

    @property
    def size(self) -> int:
        """How many outcomes there are."""
        # A product of many issues is huge: Python's integers hold it, a float would be infinite.
        total = 1
        for issue in self.issues:
            total *= len(issue.options)
        return total

    @property
    def scored_advocates(self) -> tuple[Advocate, ...]:
        """The advocates that gave scores."""
        return tuple(a for a in self.advocates if a.has_scores)

    def find_advocate(self, name: str) -> Advocate:
        """The advocate of that name. Raises KeyError."""
        for a in self.advocates:
            if a.name == name:
                return a
        raise KeyError(name)

    def list_red_lines(self, names: Sequence[str] | None = None) -> tuple[RedLine, ...]:
        """All red lines that can be checked, minimum scores among them, in the advocates' order."""
        lines: list[RedLine] = []
        for a in self.advocates:
            if names is not None and a.name not in names:
                continue
            lines.extend(a.red_lines)
        return tuple(lines)

    def find_crossed_lines(self, name: str, outcome: Package) -> tuple[RedLine, ...]:
        """The advocate's red lines that the outcome crosses."""
        return tuple(line for line in self.find_advocate(name).red_lines if self.measure_violation(line, outcome) > 0)

    def measure_violation(self, line: RedLine, outcome: Package) -> float:
        """By how much the outcome crosses the line, in its own unit (points, number; 1 for a combination); 0 if not."""
        rule = line.rule
        if isinstance(rule, Forbidden):
            return 1.0 if rule.is_crossed_by(outcome) else 0.0
        if isinstance(rule, MinimumScore):
            short = rule.value - self.find_advocate(line.advocate).score(outcome)
            return short if short > EPSILON else 0.0
        total = sum((self.issues[i].numbers or ())[outcome[i]] for i in rule.issues)
        over = max(
            total - rule.at_most if rule.at_most is not None else 0.0,
            rule.at_least - total if rule.at_least is not None else 0.0,
        )
        # Within rounding it is not crossed. A line crossed by a billionth would veto what its owner meant to allow.
        return over if over > EPSILON else 0.0

    def is_permitted(self, outcome: Package) -> bool:
        """Whether enough advocates can consent: no red line of theirs is crossed, and nobody with a veto is hurt."""
        free = {a.name for a in self.advocates if not self.find_crossed_lines(a.name, outcome)}
        # The veto besides the quorum: enough others may be free while the one who can stop it is not.
        return len(free) >= self.quorum_size and all(a.name in free for a in self.advocates if a.veto)

    def is_agreed(self, consented: Collection[str], aside: Collection[str] = ()) -> bool:
        """Whether a proposal stands: nobody objects, or the quorum consents and nobody with a veto objects.

        Who stands aside does not object, and does not consent either: a quorum is not filled by standing aside, and
        at least one must consent, so that nothing is decided by nobody.
        """
        if self.quorum is None:
            # At least one yes: a proposal that everybody lets pass was wanted by nobody.
            return bool(consented) and {*consented, *aside} >= set(self.names)
        return len(consented) >= self.quorum and all(a.name in {*consented, *aside} for a in self.advocates if a.veto)

    def build_terms(self, outcome: Package) -> dict[str, str]:
        """The outcome as issue → option."""
        return {issue.name: issue.options[o] for issue, o in zip(self.issues, outcome, strict=True)}

    def parse_terms(self, terms: Terms) -> Package:
        """The inverse of `terms`. Raises ValueError that says what is missing or unknown."""
        # Taken out one by one, so that what is left over is an issue that does not exist.
        options_by_issue = {name.strip().casefold(): option for name, option in terms.items()}
        indexes: list[int] = []
        for issue in self.issues:
            option = options_by_issue.pop(issue.name.strip().casefold(), None)
            if option is None:
                raise ValueError(f"no option is named for {issue.name!r}; give one of {', '.join(issue.options[:12])}")
            index = issue.index(str(option))
            if index is None:
                raise ValueError(f"{issue.name!r} has no option {option!r}; it has {', '.join(issue.options[:12])}")
            indexes.append(index)
        if options_by_issue:
            # The least name, so that the same fault has the same message each time.
            raise ValueError(
                f"there is no issue {min(options_by_issue)!r}; there are {', '.join(i.name for i in self.issues)}"
            )
        return tuple(indexes)

    def iterate_outcomes(self) -> Iterator[Package]:
        """Every outcome, in canonical order. For small scenarios and for brute force."""
        from itertools import product

        return product(*(range(len(i.options)) for i in self.issues))


def describe_red_line(line: RedLine) -> str:
    """The red line in words with its number: for those who may know it."""
    if isinstance(line.rule, MinimumScore):
        return f"{line.advocate}: a total of at least {line.rule.value:g}"
    return f"{line.advocate}: {line.text}"


def build_minimum_line(line_owner: str, value: float, cost: float | None = None) -> RedLine:
    """The red line that a minimum score is."""
    return RedLine(line_owner, MinimumScore(value), "a total below its minimum", cost)


# A scenario's parts as plain data for questions: the issues for everyone, preferences for their owner alone.


def describe_issues(scenario: Scenario) -> dict[str, Any]:
    """The issues as plain data."""
    return {
        i.name: {"title": i.title, "options": list(i.options), "meanings": dict(i.meanings)} for i in scenario.issues
    }


def describe_preferences(scenario: Scenario, name: str) -> dict[str, Any]:
    """One advocate's own preferences as plain data: for nobody but itself."""
    seat = scenario.find_advocate(name)
    forbidden: list[dict[str, list[str]]] = []
    limits: list[dict[str, Any]] = []
    # A minimum is a number of its own here, so it is not told again among the forbidden and the limits.
    for line in seat.red_lines:
        if isinstance(line.rule, Forbidden):
            forbidden.append(_name_options(scenario, line.rule.combination))
        elif isinstance(line.rule, Limit):
            numbers = {scenario.issues[i].name: list(scenario.issues[i].numbers or ()) for i in line.rule.issues}
            limits.append({"numbers": numbers, "at_least": line.rule.at_least, "at_most": line.rule.at_most})
    scores: dict[str, dict[str, float]] | None = None
    if seat.scores is not None:
        rows = zip(scenario.issues, seat.scores, strict=True)
        scores = {issue.name: dict(zip(issue.options, row, strict=True)) for issue, row in rows}
    return {
        "scores": scores,
        "conditional_scores": [{"when": _name_options(scenario, c.when), "score": c.score} for c in seat.conditionals],
        "minimum": seat.minimum,
        "red_lines": [line.text for line in seat.red_lines],
        "forbidden": forbidden,
        "limits": limits,
        "veto": seat.veto,
    }


def _name_options(scenario: Scenario, when: Mapping[int, frozenset[int]]) -> dict[str, list[str]]:
    issues = scenario.issues
    return {issues[i].name: [issues[i].options[o] for o in sorted(options)] for i, options in when.items()}
