"""Which statements of two documents are about one subject and cannot both stand. A mark for people, never a decision.

Two statements have one subject where they share their rare words, weighed by how rare these are in the documents at
hand; a heading lends its words to what stands below it. They conflict where, with one subject, they have different
numbers, units or names, one denies what the other says, one demands what the other allows, they name two things in the
opposite order, or another one does it. Only words of grammar, numbers and units are known by name: no synonyms, no
model. What it misses stands in the table unmarked; a wrong mark costs a reader a line. Pure.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graphbus_core.negotiation.document.text.statements import Statement

# How alike two statements have to be, from 0 to 1, for each way of differing: other numbers of one unit say most, and
# other words say little, for those who agree use other words, too.
ALIKE = {"number": 0.1, "unit": 0.2, "name": 0.05, "order": 0.15, "modal": 0.15, "negation": 0.15, "owner": 0.2}
MARGIN = {"number": 0.6, "unit": 0.6, "name": 0.6, "order": 0.9, "modal": 0.9, "negation": 0.8, "owner": 1.0}
# (of the best likeness of either)
_LEAST_ALIKE, _LEAST_MARGIN = min(ALIKE.values()), min(MARGIN.values())
HEADING = 0.25  # of a word's weight, where it stands in the heading above
STEM = 5  # characters of a word that count
SHORT = 3  # words up to this length join others, and name nothing
MAX_COMPARED = 2_000  # statements of one document; of longer ones the table says that the rest was not compared
COMMON = 100  # a word that more statements of a document have says nothing about a subject

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,:/-]\d+)*")
_DENIALS = frozenset(("not", "cannot"))  # of the verb; the others are as often said of what a verb forbids
_NEGATIONS = _DENIALS | {"no", "never", "neither", "nor", "without", "none", "nobody", "nothing"}
_DEMANDS, _ALLOWS = frozenset(("must", "shall")), frozenset(("may", "can", "could", "might"))
_LATER = frozenset(("then", "afterwards", "later", "last", "second", "thereafter"))
_CLAUSE = re.compile(r"[,;:]|\band\b|(?=\bthen\b)")
_BY = re.compile(r"(\w+) by (?:the |an? )?([^\W\d_]+[^,.;:]*)")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(re.findall(r"\w+", _ONES))}
_NUMBER_WORDS |= {word: str(10 * number) for number, word in enumerate(re.findall(r"\w+", _TENS), 3)}
_TIMES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
# Units of one quantity: how much of the first each is, by the beginning of its word.
_UNITS: tuple[dict[str, float], ...] = (
    {"secon": 1, "minut": 60, "hour": 3_600, "day": 86_400, "week": 604_800, "month": 2_629_800, "year": 31_557_600},
    {"milli": 0.001, "mm": 0.001, "centi": 0.01, "cm": 0.01, "metre": 1, "meter": 1, "m": 1, "kilom": 1000, "km": 1000},
)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements that cannot both stand, as far as words can tell. `likeness` is between 0 and 1."""

    first: Statement
    second: Statement
    kind: str  # a key of ALIKE
    likeness: float


@dataclass(slots=True)
class _Reading:
    """One statement, read."""

    statement: Statement
    words: list[str] = field(default_factory=list)  # stems in their order
    heading: frozenset[str] = frozenset()
    numbers: dict[str, str] = field(default_factory=dict)  # each with its unit, or what else follows it
    names: set[str] = field(default_factory=set)
    begins: set[str] = field(default_factory=set)  # capital only because a sentence begins, as far as is seen here
    negated: bool = False
    grammar: frozenset[str] = frozenset()  # its negations, demands and permissions
    earlier: frozenset[str] = frozenset()  # the beginnings of what is first, and of what comes after it
    later: frozenset[str] = frozenset()
    done: tuple[str, frozenset[str]] = ("", frozenset())  # what is done, and the words of who does it


def find_conflicts(sources: Mapping[str, Sequence[Statement]]) -> list[Conflict]:
    """The conflicts between the statements of any two sources, the surest first."""
    readings = {name: [_read(s) for s in statements[:MAX_COMPARED]] for name, statements in sources.items()}
    weights = _weigh(readings)
    everything = [reading for several in readings.values() for reading in several]
    _find_names(everything)
    _find_units(everything)
    _drop_joints(everything)
    names = list(readings)
    conflicts = [
        conflict
        for place, first in enumerate(names)
        for second in names[place + 1 :]
        for conflict in _compare(readings[first], readings[second], weights)
    ]
    return sorted(conflicts, key=lambda c: (-c.likeness, c.first.line, c.second.line))


def _read(statement: Statement) -> _Reading:
    reading = _Reading(statement, heading=frozenset(_stem(word) for word in _split_words(statement.heading)))
    pending: list[str] = []
    text = statement.text.replace("%", " percent").replace("°", " degrees ")
    for match in _TOKEN.finditer(text):
        token = match.group()
        low = token.lower().replace("’", "'")
        if token[0].isdigit() or low in _NUMBER_WORDS:
            pending = [*(_read_numbers(token) if token[0].isdigit() else [_NUMBER_WORDS[low]])]
            reading.numbers |= dict.fromkeys(pending, "")
        elif low in _TIMES and len(pending) == 1 and pending[0].isdigit():
            del reading.numbers[pending[0]]
            pending = [str(int(pending[0]) * _TIMES[low])]
            reading.numbers |= dict.fromkeys(pending, "")
        elif low in _NEGATIONS or low.endswith("n't"):
            reading.negated = not reading.negated
        else:
            reading.words.append(_stem(low))
            reading.numbers |= dict.fromkeys(pending, _stem(low))
            pending = []
            if token[0].isupper():
                before = text[: match.start()].rstrip("*_`\"'( ")
                within = (before and before[-1] not in ".:!?|-") or not (token[1:].islower() or token[1:].isupper())
                (reading.names if within and len(token) > 1 else reading.begins).add(_stem(low))
    low = text.lower().replace("n't", " not")
    reading.grammar = (_NEGATIONS | _DEMANDS | _ALLOWS) & {*_split_words(low)}
    reading.earlier, reading.later = _read_order(low)
    if by := _BY.search(low):
        reading.done = _stem(by[1]), frozenset(_stem(word) for word in _split_words(by[2]) if len(word) > SHORT)
    return reading


def _read_order(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The beginnings of what is said to come first and of what is said to come after it, without those of both."""
    clauses = _CLAUSE.split(text)
    firsts = [clause for clause in clauses if "first" in _split_words(clause)]
    laters = [clause for clause in clauses if _LATER & {*_split_words(clause)}]
    if firsts or laters:
        firsts = firsts or [clause for clause in clauses if clause not in laters]
        earlier, later = " ".join(firsts), " ".join(clause for clause in clauses if clause not in firsts)
    elif match := re.search(r"\b(before|after|once)\b", text):
        around, behind = text[: match.start()], text[match.end() :]
        if not around.strip():
            behind, _, around = behind.partition(",")
        earlier, later = (around, behind) if match[1] == "before" else (behind, around)
    else:
        return frozenset(), frozenset()
    early, late = ({word[: SHORT + 1] for word in _split_words(part)} for part in (earlier, later))
    return frozenset(early - late), frozenset(late - early)


def _find_names(readings: Sequence[_Reading]) -> None:
    """A word that has a capital within sentences, and is never small, is a name where one begins with it, too."""
    known = {name for reading in readings for name in reading.names}
    small = {word for reading in readings for word in reading.words if word not in reading.names | reading.begins}
    for reading in readings:
        reading.names |= reading.begins & (known - small)


def _drop_joints(readings: Sequence[_Reading]) -> None:
    """Words that many statements have join others, and say nothing about what comes first."""
    counts = Counter(word[: SHORT + 1] for reading in readings for word in {*reading.words})
    often = {word for word, count in counts.items() if count > max(2, len(readings) / 15)}
    for reading in readings:
        reading.earlier, reading.later = reading.earlier - often, reading.later - often


def _find_units(readings: Sequence[_Reading]) -> None:
    """A word is a unit where every third time it stands behind a number, or more often."""
    counts = Counter(word for reading in readings for word in reading.words)
    behind = Counter(unit for reading in readings for unit in reading.numbers.values())
    units = {unit for unit in behind if 3 * behind[unit] >= counts[unit]}.union(*_UNITS)
    for reading in readings:
        reading.numbers = {number: unit if unit in units else "" for number, unit in reading.numbers.items()}


def _read_numbers(token: str) -> set[str]:
    """A number without the marks between its thousands; of a date or a time each part."""
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", token):
        return {token.replace(",", "")}
    if clock := re.fullmatch(r"0?(\d{1,2}):00", token):
        return {str((int(clock[1]) + 11) % 12 + 1)}  # what a clock on the wall says
    return {part.lstrip("0") or "0" for part in re.split(r"[:/-]", token)}


def _split_words(text: str) -> list[str]:
    return [match.group().lower() for match in _TOKEN.finditer(text) if not match.group()[0].isdigit()]


def _stem(word: str) -> str:
    """Endings say little: a word is its beginning."""
    word = word.partition("'")[0]
    return word[:STEM] if len(word) > STEM else word[:-1] if len(word) > 3 and word.endswith("s") else word


def _weigh(readings: Mapping[str, Sequence[_Reading]]) -> dict[str, float]:
    """What a word says about a subject: the more, the fewer statements have it."""
    everything = [reading for several in readings.values() for reading in several]
    counts = Counter(word for reading in everything for word in {*reading.words, *reading.heading})
    return {word: math.log((1 + len(everything)) / count) for word, count in counts.items()}


def _compare(first: Sequence[_Reading], second: Sequence[_Reading], weights: Mapping[str, float]) -> Iterator[Conflict]:
    """Pairs of which each is among the most alike of the other."""
    vectors = [[_build_vector(reading, weights) for reading in several] for several in (first, second)]
    where: dict[str, list[int]] = {}
    for place, vector in enumerate(vectors[1]):
        for word in vector:
            where.setdefault(word, []).append(place)
    pairs: list[tuple[float, int, int]] = []
    best: dict[tuple[int, int], float] = {}
    for a, vector in enumerate(vectors[0]):
        sums: dict[int, float] = {}
        for word, weight in vector.items():
            places = where.get(word, ())
            for b in places if len(places) <= COMMON else ():
                sums[b] = sums.get(b, 0.0) + weight * vectors[1][b][word]
        for b, likeness in sums.items():
            best[0, a] = max(best.get((0, a), 0.0), likeness)
            best[1, b] = max(best.get((1, b), 0.0), likeness)
            pairs.append((likeness, a, b))
    for likeness, a, b in pairs:
        if likeness < max(_LEAST_ALIKE, _LEAST_MARGIN * max(best[0, a], best[1, b])):
            continue
        kind = _classify(first[a], second[b])
        if kind and likeness >= max(ALIKE[kind], MARGIN[kind] * max(best[0, a], best[1, b])):
            yield Conflict(first[a].statement, second[b].statement, kind, likeness)


def _build_vector(reading: _Reading, weights: Mapping[str, float]) -> dict[str, float]:
    """The words of a statement with their weights, of length 1; those of its heading count less."""
    vector = {word: HEADING * weights[word] for word in reading.heading}
    vector |= {word: weights[word] for word in reading.words}
    length = math.sqrt(sum(weight * weight for weight in vector.values())) or 1.0
    return {word: weight / length for word, weight in vector.items()}


def _classify(a: _Reading, b: _Reading) -> str:
    """In what two statements on one subject differ; "" where they may both stand."""
    mine, other = a.numbers.keys() - b.numbers.keys(), b.numbers.keys() - a.numbers.keys()
    if mine and other:
        return "" if any(_is_same_quantity(n, a.numbers[n], m, b.numbers[m]) for n in mine for m in other) else "number"
    if any(_are_other_units(unit, b.numbers.get(number, unit)) for number, unit in a.numbers.items()):
        return "unit"
    if a.names - set(b.words) and b.names - set(a.words):
        return "name"
    if a.earlier & b.later and a.later & b.earlier:
        return "order"
    if a.negated != b.negated:
        # A word such as "no" or "nobody" may say the same as a verb of the other side; "not" takes its verb back.
        denying, other_side = (a, b) if a.negated else (b, a)
        return "negation" if denying.grammar & _DENIALS or other_side.grammar & (_ALLOWS | _DEMANDS) else ""
    if {*_describe_force(a), *_describe_force(b)} == {"demands", "allows"}:
        return "modal"
    return "owner" if _is_done_by_another(a, b) or _is_done_by_another(b, a) else ""


def _describe_force(reading: _Reading) -> tuple[str, ...]:
    demands, allows = bool(reading.grammar & _DEMANDS), bool(reading.grammar & _ALLOWS)
    return ("both",) if demands and allows else ("demands",) * demands + ("allows",) * allows


def _is_same_quantity(first: str, unit: str, second: str, other: str) -> bool:
    """Whether two numbers say one thing in two units: 24 months and 2 years."""
    for units in _UNITS:
        if unit in units and other in units and unit != other:
            return math.isclose(float(first) * units[unit], float(second) * units[other], rel_tol=0.02)
    return False


def _are_other_units(unit: str, other: str) -> bool:
    return bool(unit and other) and not unit.startswith(other) and not other.startswith(unit)


def _is_done_by_another(a: _Reading, b: _Reading) -> bool:
    """Whether `a` says by whom something is done, and `b` says that it is done without one word of who does it."""
    verb, who = a.done
    return bool(who) and not who & {*b.words} and (verb in b.words or bool(b.done[1]))
