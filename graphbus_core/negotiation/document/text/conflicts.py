"""Which statements of two documents are about one subject and cannot both stand. A mark for people, never a decision.

First the claims of two documents are paired, each with one of the other at most, the most alike first: alike by the
words and numbers that they share, weighed by how rare these are in the documents at hand, with those of the headings,
of the table's column and of the sentence before. A claim that has found its like is no longer compared with others that
only sound like it. Then a pair is a conflict where its claims have different numbers, units or names, one denies what
the other says, one demands what the other leaves open, they name two things in the opposite order, another one does it,
or they are one sentence with other words in one place. Any other pair does not conflict as far as is known: it is
`alike`, and stands side by side in the table for who reads. What is missed stands there unmarked; a wrong mark costs a
reader a line. Pure.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from graphbus_core.negotiation.document.text.claims import (
    ALLOWS,
    DEMANDS,
    DENIALS,
    Claim,
    drop_joints,
    find_names,
    find_units,
    is_known_unit,
    is_same_quantity,
    is_same_unit,
    measures_same,
    read_claims,
)
from graphbus_core.negotiation.document.text.statements import Statement

ALIKE = "alike"  # the kind of a pair on one subject that is no conflict, as far as is known
HEADING, COLUMN, BEFORE, NUMBER = 0.25, 0.7, 0.15, 0.6  # of a word's weight, where it stands there
LEAST_ALIKE = 0.08  # of two claims that are paired, from 0 to 1
LEAST_ALIKE_OF = {"number": 0.1, "denial": 0.25, "demand": 0.25, "owner": 0.25, ALIKE: 0.2}
# Whose words are more often said of other things.
LESS_SURE = {"negation": 1, "demand": 1, "denial": 2, "word": 2, ALIKE: 3}
MOST_REPLACED, LEAST_LEFT, SHARE_LEFT = 3, 3, 0.6  # words in one place; around it, and their share
UNSEEN = 20  # claims as if there were more: in two short texts a word of both would else say nothing
MAX_COMPARED = 2_000  # statements of one document; of longer ones the table says that the rest was not compared
COMMON = 100  # a word that more claims of a document have says nothing about a subject


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements that cannot both stand, as far as words can tell. `likeness` is between 0 and 1."""

    first: Statement
    second: Statement
    kind: str  # number, unit, name, order, modal, demand, negation, denial, owner, word; or `alike`, which is none
    likeness: float


def find_conflicts(sources: Mapping[str, Sequence[Statement]]) -> list[Conflict]:
    """The conflicts between the statements of any two sources, the surest first."""
    claims = {name: read_claims(statements[:MAX_COMPARED]) for name, statements in sources.items()}
    everything = [claim for several in claims.values() for claim in several]
    find_names(everything)
    find_units(everything)
    drop_joints(everything)
    names = list(claims)
    conflicts: dict[tuple[str, str], Conflict] = {}
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            for likeness, a, b in _pair(claims[first], claims[second]):
                kind = _classify(a, b)
                if likeness >= LEAST_ALIKE_OF.get(kind, LEAST_ALIKE):
                    found = Conflict(a.statement, b.statement, kind, likeness)
                    # Of a row of a table several cells may have found the same sentence: one mark is enough.
                    known = conflicts.get((a.statement.place, b.statement.place), found)
                    better = max(found, known, key=lambda c: (-LESS_SURE.get(c.kind, 0), c.likeness))
                    conflicts[a.statement.place, b.statement.place] = better
    return sorted(
        conflicts.values(), key=lambda c: (LESS_SURE.get(c.kind, 0), -c.likeness, c.first.line, c.second.line)
    )


def _pair(first: Sequence[Claim], second: Sequence[Claim]) -> Iterator[tuple[float, Claim, Claim]]:
    """Each claim with at most one of the other document, the most alike first."""
    weights = _weigh([*first, *second])
    vectors = [[_build_vector(claim, weights) for claim in several] for several in (first, second)]
    where: dict[str | float, list[int]] = {}
    for place, vector in enumerate(vectors[1]):
        for word in vector:
            where.setdefault(word, []).append(place)
    pairs: list[tuple[float, int, int]] = []
    for a, vector in enumerate(vectors[0]):
        sums: dict[int, float] = {}
        for word, weight in vector.items():
            places = where.get(word, ())
            for b in places if len(places) <= COMMON else ():
                sums[b] = sums.get(b, 0.0) + weight * vectors[1][b][word]
        pairs += [(-likeness, a, b) for b, likeness in sums.items() if likeness >= LEAST_ALIKE]
    paired: tuple[set[int], set[int]] = (set(), set())
    for likeness, a, b in sorted(pairs):
        if a not in paired[0] and b not in paired[1]:
            paired[0].add(a)
            paired[1].add(b)
            yield -likeness, first[a], second[b]


def _weigh(claims: Sequence[Claim]) -> dict[str | float, float]:
    """What a word or a number says about a subject: the more, the fewer claims have it."""
    counts: Counter[str | float] = Counter()
    for claim in claims:
        counts.update({*claim.words, *claim.numbers, *claim.heading, *claim.column, *claim.before})
    return {word: math.log((UNSEEN + len(claims)) / count) for word, count in counts.items()}


def _build_vector(claim: Claim, weights: Mapping[str | float, float]) -> dict[str | float, float]:
    """What a claim has with its weights, of length 1; what stands around it counts less."""
    vector: dict[str | float, float] = {word: BEFORE * weights[word] for word in claim.before}
    vector |= {word: HEADING * weights[word] for word in claim.heading}
    vector |= {word: COLUMN * weights[word] for word in claim.column}
    vector |= {word: weights[word] for word in claim.words}
    vector |= {number: NUMBER * weights[number] for number in claim.numbers}
    length = math.sqrt(sum(weight * weight for weight in vector.values())) or 1.0
    return {word: weight / length for word, weight in vector.items()}


def _classify(a: Claim, b: Claim) -> str:
    """In what two claims on one subject differ."""
    if kind := _compare_numbers(a, b) or _compare_names(a, b):
        return kind
    if a.earlier & b.later and a.later & b.earlier:
        return "order"
    forces = {_describe_force(a), _describe_force(b)}
    if a.negated != b.negated:
        # "Not" takes back its verb; a word such as "no" or "nobody" may say the same as a verb of the other side.
        denying, other_side = (a, b) if a.negated else (b, a)
        return "negation" if denying.grammar & DENIALS or other_side.grammar & (ALLOWS | DEMANDS) else "denial"
    if forces == {"demands", "allows"}:
        return "modal"
    if "demands" in forces and len(forces) > 1:
        return "demand"
    if _is_done_by_another(a, b) or _is_done_by_another(b, a):
        return "owner"
    # Sentences with numbers were compared by these: around the same number other words mostly say the same.
    return "word" if not (a.numbers or b.numbers) and _differs_in_one_place(a.words, b.words) else ALIKE


def _compare_numbers(a: Claim, b: Claim) -> str:
    mine = {n: unit for n, unit in a.numbers.items() if not _stands_in(n, unit, b)}
    other = {n: unit for n, unit in b.numbers.items() if not _stands_in(n, unit, a)}
    for number, unit in mine.items():
        if number in other and not is_same_unit(unit, other[number]):
            return "unit"
    mine = {n: unit for n, unit in mine.items() if n not in b.row}
    other = {n: unit for n, unit in other.items() if n not in a.row}
    if any(measures_same(unit, against) for unit in mine.values() for against in other.values()):
        return "number"
    # The sentence may have found another cell of the row than the one whose number it has another of.
    if _differs_from_row(a.row, b.numbers) or _differs_from_row(b.row, a.numbers):
        return "number"
    left, against_left = a.units - b.units, b.units - a.units
    different = any(measures_same(u, v) and not is_same_unit(u, v) for u in left for v in against_left)
    return "unit" if different and not mine and not other else ""


def _differs_from_row(row: Mapping[float, str], numbers: Mapping[float, str]) -> bool:
    """Whether there are numbers in a known unit that the row has, too, and none of them is what the row says."""
    known = {number: unit for number, unit in numbers.items() if is_known_unit(unit)}
    beside = {number: unit for number, unit in row.items() if is_known_unit(unit)}
    pairs = [(n, u, m, v) for n, u in known.items() for m, v in beside.items() if measures_same(u, v)]
    return bool(pairs) and not any(is_same_quantity(*pair) for pair in pairs)


def _stands_in(number: float, unit: str, claim: Claim) -> bool:
    return any(is_same_quantity(number, unit, other, against) for other, against in claim.numbers.items())


def _compare_names(a: Claim, b: Claim) -> str:
    """Whether each names something that the other does not; on one side a capital at a beginning is enough."""
    for mine, other in ((a, b), (b, a)):
        if _list_foreign(mine.names, other) and _list_foreign(other.names | other.begins, mine):
            return "name"
    return ""


def _list_foreign(names: set[str], claim: Claim) -> list[str]:
    return [name for name in names if name not in claim.words and name not in claim.statement.text.lower()]


def _describe_force(claim: Claim) -> str:
    demands, allows = bool(claim.grammar & DEMANDS), bool(claim.grammar & ALLOWS)
    return "both" if demands and allows else "demands" if demands else "allows" if allows else ""


def _is_done_by_another(a: Claim, b: Claim) -> bool:
    """Whether `a` says by whom something is done, and `b` says that it is done without one word of who does it."""
    verb, who = a.done
    return bool(who) and not who & {*b.words} and (verb in b.words or bool(b.done[1]))


def _differs_in_one_place(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two sentences are the same but for other words in one place: closed, open. What stands there may still
    mean the same; who reads sees it in a moment."""
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    if len(changes) != 1 or changes[0][0] != "replace":
        return False
    _, begin, end, other_begin, other_end = changes[0]
    left = len(first) - (end - begin)
    return max(end - begin, other_end - other_begin) <= MOST_REPLACED and left >= max(
        LEAST_LEFT, SHARE_LEFT * max(len(first), len(second))
    )
