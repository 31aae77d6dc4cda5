"""Which statements of two documents are about one subject and cannot both stand. A mark for people, never a decision.

Two statements have one subject where they share their rare words, weighed by how rare these are in the documents at
hand; a heading lends its words to what stands below it. They conflict where, with one subject, they have different
numbers, units or names, or a negation more. No model, no list of synonyms: of a stranger's contradictions it marks
about half, and half of what it marks is one. What it misses stands in the table unmarked; a wrong mark costs a reader a
line. Pure.
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
ALIKE = {"number": 0.1, "unit": 0.2, "name": 0.05, "negation": 0.15}
MARGIN = {"number": 0.6, "unit": 0.6, "name": 0.6, "negation": 0.8}  # of the best likeness of either
_LEAST_ALIKE, _LEAST_MARGIN = min(ALIKE.values()), min(MARGIN.values())
HEADING = 0.25  # of a word's weight, where it stands in the heading above
STEM = 5  # characters of a word that count
MAX_COMPARED = 2_000  # statements of one document; of longer ones the table says that the rest was not compared
COMMON = 100  # a word that more statements of a document have says nothing about a subject

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,:/-]\d+)*")
_NEGATIONS = frozenset(("not", "no", "never", "neither", "nor", "without", "cannot", "none", "nobody", "nothing"))
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(re.findall(r"\w+", _ONES))}
_NUMBER_WORDS |= {word: str(10 * number) for number, word in enumerate(re.findall(r"\w+", _TENS), 3)}


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements that cannot both stand, as far as words can tell. `likeness` is between 0 and 1."""

    first: Statement
    second: Statement
    kind: str  # number, unit, name, negation
    likeness: float


@dataclass(slots=True)
class _Reading:
    """One statement, read."""

    statement: Statement
    words: list[str] = field(default_factory=list)  # stems in their order
    heading: frozenset[str] = frozenset()
    numbers: dict[str, str] = field(default_factory=dict)  # each with its unit, or what else follows it
    names: frozenset[str] = frozenset()
    negated: bool = False


def find_conflicts(sources: Mapping[str, Sequence[Statement]]) -> list[Conflict]:
    """The conflicts between the statements of any two sources, the surest first."""
    readings = {name: [_read(s) for s in statements[:MAX_COMPARED]] for name, statements in sources.items()}
    weights = _weigh(readings)
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
    names, pending = set[str](), list[str]()
    text = statement.text
    for match in _TOKEN.finditer(text):
        token = match.group()
        low = token.lower().replace("’", "'")
        if token[0].isdigit() or low in _NUMBER_WORDS:
            values = _read_numbers(token) if token[0].isdigit() else {_NUMBER_WORDS[low]}
            reading.numbers |= dict.fromkeys(values, "")
            pending = [*values]
        elif low in _NEGATIONS or low.endswith("n't"):
            reading.negated = not reading.negated
        else:
            reading.words.append(_stem(low))
            reading.numbers |= dict.fromkeys(pending, _stem(low))
            pending = []
            before = text[: match.start()].rstrip("*_`\"'( ")
            if token[0].isupper() and before and before[-1] not in ".:!?|-":
                names.add(_stem(low))
    reading.names = frozenset(names)
    return reading


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
        return "number"
    if any(unit and b.numbers.get(number, unit) not in (unit, "") for number, unit in a.numbers.items()):
        return "unit"
    if a.names - set(b.words) and b.names - set(a.words):
        return "name"
    if a.negated != b.negated:
        return "negation"
    return ""
