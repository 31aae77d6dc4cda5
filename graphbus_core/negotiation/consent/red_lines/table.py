"""What of the words of a sentence is of the table, and what is of the grammar: the kinds that begin at each word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from graphbus_core.negotiation.consent.red_lines.actions import Meaning
from graphbus_core.negotiation.consent.red_lines.grammar import KINDS
from graphbus_core.negotiation.consent.red_lines.slips import VOCABULARY, mend
from graphbus_core.negotiation.consent.red_lines.tokens import (
    CURRENCY,
    ONES,
    SCALES,
    TENS,
    UNITS,
    WEEKDAYS,
    find_amounts,
    find_names,
    find_periods,
    read_days,
    split_words,
    trim,
)
from graphbus_core.negotiation.consent.scenario.model import Issue

SIGNS = frozenset([",", ";", ".", ":", "-", "!"])
# Kinds of phrases that change what a sentence excludes, also where no number or day follows them.
_TURNING = "NOTHING ONLY MORE LESS MOST LEAST ORLESS ORMORE LIMIT FLOOR IF UNLESS EXCEPT WITHOUT NEITHER EITHER"
TURNING = (*_TURNING.split(), "ORELSE", "ORNOTHING")
_COMPARATIVES = "more less fewer higher lower longer shorter bigger smaller larger cheaper later earlier"
COMPARATIVES = frozenset(_COMPARATIVES.split())
HEDGES = frozenset(word for (word,) in KINDS["DOUBT"]) | COMPARATIVES
# No part of a name by itself: `web only` is no `only`.
OPERATORS = frozenset(
    word for kind, phrases in KINDS.items() if kind not in ("EMPTY", "FINE") for word, *rest in phrases if not rest
)
LEAVING = frozenset([("has", "to", "go"), ("have", "to", "go")])
NUMBER_WORDS = frozenset({*ONES, *TENS, *SCALES})


class Table:
    """The issues as a sentence may name them."""

    def __init__(self, given: Sequence[Issue]) -> None:
        self.issues = issues = [_count_options(i) for i in given]
        self.shape = tuple(len(i.options) for i in issues)
        self.days = [read_days(i) for i in issues]
        self.names = [tuple(split_words(i.name.replace("_", " "))) for i in issues]
        folded = [[o.strip().casefold() for o in i.options] for i in issues]
        self.all_names = [*self.names, *(tuple(split_words(o)) for i in given for o in i.options)]
        self.answers = {
            n: row.index("yes") for n, row in enumerate(folded) if len(row) == 2 and {"yes", "no"} == set(row)
        }
        self.choices = [
            (i, o, tuple(split_words(name)))
            for i, issue in enumerate(given)
            if issue.numbers is None and not self.days[i] and i not in self.answers
            for o, option in enumerate(issue.options)
            for name in {option, issue.meanings.get(option, "")}
            if name
        ]
        self.units, self.rates = [], []
        for issue, name in zip(issues, self.names, strict=True):
            before, per = _split_rate((*name, "/", *split_words(issue.title)))
            self.units.append({CURRENCY.get(w, trim(w)) for w in before} | ({"%"} if "%" in issue.title else set()))
            self.rates.append({trim(w) for w in per})
        self.all_units = {u for n, units in enumerate(self.units) if issues[n].numbers is not None for u in units}

    def prepare(self, words: Sequence[str]) -> list[str]:
        """Without politeness, with slips of the pen mended where one known word alone can be meant."""
        own = {w for name in self.names for w in name} | {w for *_, name in self.choices for w in name}
        known = own | VOCABULARY | self.all_units
        trimmed = {trim(w) for w in known}
        # `then` where `than` is meant is the one slip that is a word of its own.
        words = ["than" if w == "then" and n and words[n - 1] in COMPARATIVES else w for n, w in enumerate(words)]
        # `300? Not unless …`: a question that its speaker answers.
        words = [
            "-" if w == "?" and words[n + 1 : n + 2] and words[n + 1] in ("not", "no", "only", "never") else w
            for n, w in enumerate(words)
        ]
        words = self._drop_politeness(words)
        mended = [w if w in known or trim(w) in trimmed else mend(w, known) for w in words]
        text = re.sub(r"([,;:.-]) (?:[,;.-] )+", r"\1 ", " ".join(mended))
        return re.sub(r"^(?:[,.;:!-] |but |and )+|(?: [,.;:!-])+$", "", text).split()

    def _drop_politeness(self, words: Sequence[str]) -> list[str]:
        """Without parts between signs that say nothing at all: `, thanks,`, `, I'm afraid`."""
        out: list[str] = []
        part: list[str] = []
        for word in [*words, "."]:
            part.append(word)
            if word in SIGNS:
                says = any((w,) not in KINDS["EMPTY"] or find_names([w], 0, self.all_names) for w in part[:-1])
                if says or not part[:-1] or not out:
                    out += part
                part = []
        return out

    def list_kinds(self, words: Sequence[str], start: int) -> dict[str, list[tuple[int, Meaning | None]]]:
        """What of the table begins at this word."""
        kinds: dict[str, list[tuple[int, Meaning | None]]] = {
            "ISSUE": [(end, ("name", n)) for end, n in find_names(words, start, self.names, OPERATORS, plural=True)],
            "OPTION": [
                (end, ("in", self.choices[n][0], frozenset({self.choices[n][1]})))
                for end, n in find_names(words, start, [name for *_, name in self.choices], OPERATORS)
            ],
            "NUM": _keep_longest(self._find_numbers_at(words, start)),
        }
        days = [d for row in self.days for d in row]
        if days:
            kinds["DATE"] = _keep_longest(self._find_dates_at(words, start))
            day = WEEKDAYS.get(words[start], WEEKDAYS.get(trim(words[start])))
            kinds["WEEKDAY"] = [] if day is None else [(start + 1, ("day", day))]
        # `No support act`, where that is yes or no, is about its yes.
        kinds["OPTION"] += [
            (end, ("in", n, frozenset({self.answers[n]})))
            for end, n in find_names(words, start, self.names, OPERATORS)
            if n in self.answers
        ]
        is_named = any(kinds[kind] for kind in ("ISSUE", "OPTION"))
        is_named |= any(end > start + 1 for kind in ("DATE", "NUM") for end, _ in kinds.get(kind, ()))
        for kind, ends in _find_phrases(words, start).items():
            # A word that names something of the table is never an empty one; nor is `by` before a day.
            if kind == "EMPTY" and words[start] in ("by", "from") and self._begins_amount(words, start + 1):
                continue
            if not (is_named and kind == "EMPTY") and not (kinds["OPTION"] and kind == "FINE"):
                kinds.setdefault(kind, []).extend((end, None) for end in ends)
        if tuple(words[start : start + 3]) in LEAVING and (words[start + 3 : start + 4] or ["."])[0] in SIGNS:
            kinds["MUST"] = kinds["EMPTY"] = []  # away with it, or there: who knows
        if end := self._find_only_if(words, start):
            kinds["ONLYIF"], kinds["ONLY"] = [(end, None)], []
        kinds["NO"] = [(e, None) for e, _ in kinds.get("NOT", ()) if e == len(words) or words[e] in SIGNS]
        if words[start] == "too" and words[start + 1 : start + 2] and words[start + 1].isalpha():
            kinds["TOO"] = [(start + 2, None)]
        for kind, end in _find_comparison(words, start):
            kinds.setdefault(kind, []).append((end, None))
        reason = words[start] in ("because", "since", "as", "for") and self._find_end(words, start + 1)
        if reason:
            kinds["REASON"] = [(reason, None)]
        aside = (start == 0 or words[start - 1] in SIGNS) and self._find_end(words, start)
        if aside:
            kinds["ASIDE"] = [(aside, None)]
        if start == 0 and "so" in words and self._names_nothing(words[: words.index("so")]):
            kinds.setdefault("ASIDE", []).append((words.index("so") + 1, None))
        return kinds

    def _find_only_if(self, words: Sequence[str], start: int) -> int:
        """Where `only works if` ends; 0 where that is not what stands here."""
        end = start + 1
        while words[start] == "only" and end < min(len(words), start + 5):
            if words[end] in ("if", "when"):
                return end + 1
            if not {(words[end],)} & (KINDS["EMPTY"] | KINDS["FINE"]):
                break
            end += 1
        return 0

    def _begins_amount(self, words: Sequence[str], start: int) -> bool:
        at = start + (words[start : start + 1] == ["the"])
        return at < len(words) and bool(self._find_dates_at(words, at) or self._find_numbers_at(words, at))

    def _find_numbers_at(self, words: Sequence[str], start: int) -> list[tuple[int, Meaning]]:
        """The amounts that begin here, and are not a part of a date or of a longer number."""
        if any(end > start for n in range(max(0, start - 3), start) for end, _ in self._find_dates_at(words, n)):
            return []
        if any(end > start + 1 for end, _ in self._find_dates_at(words, start)):
            return []
        found = find_amounts(words, start, self.all_units)
        if start and words[start] in ("a", "an") and trim(words[start - 1]) in UNITS.keys() | self.all_units:
            return []  # `eight shifts a month`
        if start and (words[start - 1] in NUMBER_WORDS or words[start - 1].isdigit()):
            return []  # `twelve fifty`: who knows
        if start and (trim(words[start - 1]) in UNITS or words[start - 1] in CURRENCY) and words[start] in NUMBER_WORDS:
            return []  # `a metre fifty`
        return [
            (end, ("number", amount))
            for end, amount in found
            if not (end < len(words) and amount.unit and words[end] in NUMBER_WORDS)
            and not (end < len(words) and not amount.unit and words[end] in NUMBER_WORDS)
        ]

    def _find_dates_at(self, words: Sequence[str], start: int) -> list[tuple[int, Meaning]]:
        days = [d for row in self.days for d in row]
        found = find_periods(words, start, days) if days else []
        # A month of no year is that which lies among the days of the table.
        first, last = (min(days).replace(day=1), max(days)) if days else (date.min, date.max)
        near = [(e, p) for e, p in found if p[1] >= first.toordinal() and p[0] <= last.toordinal() + 31 - last.day]
        return [(end, ("period", period)) for end, period in near or found]

    def _names_nothing(self, words: Sequence[str]) -> bool:
        """Whether none of these words is one of the table, a number, a date or a word that turns a meaning."""
        if HEDGES & set(words) or any(_find_phrase(words, kind) for kind in TURNING):
            return False
        days = [d for row in self.days for d in row]
        return not any(
            ((words[n],) not in KINDS["EMPTY"] and find_names(words, n, self.names, OPERATORS))
            or find_names(words, n, [name for *_, name in self.choices], OPERATORS)
            or find_amounts(words, n, set())
            or (days and find_periods(words, n, days))
            or words[n] in WEEKDAYS
            for n in range(len(words))
        )

    def _find_end(self, words: Sequence[str], start: int) -> int | None:
        """Where what is set off by signs ends, if it says nothing of the table."""
        end = next((n for n in range(start, len(words)) if words[n] in SIGNS), len(words))
        part = words[start:end]
        if words[end : end + 1] == ["-"]:
            return None  # a question that its speaker answers is what it is about
        return end if part and self._names_nothing(part) and not _says_no(part) else None


def _count_options(issue: Issue) -> Issue:
    """The issue with numbers, where each option is one with the same unit: `50 lux`, `150 lux`."""
    parts = [re.fullmatch(r"(\d+(?:\.\d+)?)\s*([^\d\s]+)", o.strip()) for o in issue.options]
    if issue.numbers is not None or not all(parts) or len({p[2] for p in parts if p}) > 1:
        return issue
    unit = next(p[2] for p in parts if p)
    return replace(issue, numbers=tuple(float(p[1]) for p in parts if p), title=f"{issue.title} {unit}")


def _split_rate(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """What an issue counts, and per what: the word behind each `per`."""
    per = [n + 1 for n, w in enumerate(words[:-1]) if w == "per"]
    return [w for n, w in enumerate(words) if n not in per], [words[n] for n in per]


def _find_phrases(words: Sequence[str], start: int) -> dict[str, set[int]]:
    """Where each kind of phrase that begins here ends. The longest counts, unless it adds nothing but empty words."""
    ends = {
        kind: {start + len(p) for p in phrases if tuple(words[start : start + len(p)]) == p}
        for kind, phrases in KINDS.items()
    }
    # `no more` behind a number is a phrase of its own, and elsewhere the beginning of `no more than`.
    last = max(
        (end for kind, found in ends.items() if kind not in ("ORLESS", "ORMORE") for end in found), default=start
    )
    empty = KINDS["EMPTY"]
    if ends["HEDGE"]:
        return {"HEDGE": ends["HEDGE"]}  # no rule has it: `not really` is asked about
    return {
        kind: {e for e in found if e >= last or all((w,) in empty for w in words[e:last])}
        for kind, found in ends.items()
        if found
    }


def _says_no(words: Sequence[str]) -> bool:
    """Whether a line may be drawn here, of what the table calls otherwise: `no canoeing`, `I can't fly`."""
    own = bool({"i", "we", "you", "nobody", "me", "us"} & set(words))
    if any(_find_phrase(words, kind) for kind in ("MUST", "NEED", "OUT")):
        return True
    return any(own or not begin for kind in ("NOT", "NOTHING") for begin in _find_phrase(words, kind))


def _find_phrase(words: Sequence[str], kind: str) -> list[int]:
    """Where phrases of this kind begin."""
    return [n for n in range(len(words)) for p in KINDS[kind] if tuple(words[n : n + len(p)]) == p]


def _find_comparison(words: Sequence[str], start: int) -> list[tuple[str, int]]:
    """`Not a cent more`, `but not one day longer`: what a bound that was said before may not go beyond."""
    at = start + (words[start] == "but")
    if words[at : at + 1] not in (["not"], ["never"]):
        return []
    at += 1
    if words[at : at + 1] and words[at] in ("a", "an", "one", "another"):
        at += 2 + (words[at + 1 : at + 2] == ["single"])
    word = words[at] if at < len(words) else ""
    if at + 1 < len(words) and words[at + 1] not in SIGNS:
        return []
    if word in ("more", "longer", "later", "higher", "over", "above", "further"):
        return [("ORLESS", at + 1)]
    return [("ORMORE", at + 1)] if word in ("less", "shorter", "earlier", "sooner", "lower", "fewer", "below") else []


def _keep_longest(found: Sequence[tuple[int, Meaning]]) -> list[tuple[int, Meaning | None]]:
    last = max((end for end, _ in found), default=0)
    return [(end, meaning) for end, meaning in found if end == last]
