"""Whether a text says what another says, with nothing turned: a decision in the final document, a summary of an offer.

Words are free, facts are not (`checkable`): numbers with their units and bounds, names, negation, words with an
opposite. A statement is looked for in one place of the text: a sentence, two neighbours, a paragraph, a section under
its heading. It stands there if enough of its words do, every fact does, and no number was given to other words.
Linear in the length of the texts, but for the few places that share most words with the statement.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil

from graphbus_core.negotiation.document.text.checkable import CheckableFacts, Number, facts, folded, segments
from graphbus_core.negotiation.document.text.coverage import (
    SHORT,
    plain,
    stands_in,
    statements,
    tokens,
    visible,
)
from graphbus_core.negotiation.document.text.lexicon import unit
from graphbus_core.negotiation.document.text.pairing import crossed, turned
from graphbus_core.negotiation.document.text.places import Passage, meant, places

_Part = tuple[str, CheckableFacts, frozenset[str]]  # a clause, what it says, its words

SHARE = 1 / 3  # of a statement's words: the others are free
STRICT = 0.6  # where a summary takes the place of an entry
PLACES = 40  # that share the most words with a statement, and are looked at closely
LIGHT = frozenset(
    re.findall(r"\w+", "keep use have take go everyt all decide settle agree it thing both fine good ok yes")
)
SOFT = ("time", "request", "line", "core", "character")  # "3 retries" are "retried 3 times"
BOTH = frozenset({"manual", "large", "public", "internal", "local", "sync", "online", "first", "high", "enable"})


class FaithfulText:
    """A text, made ready to be asked what of a statement it lacks or turns. `share`: how many words must stand."""

    def __init__(self, text: str, share: float = SHARE, light: bool = False) -> None:
        text = visible(text)
        self.share = share
        self.light = light  # words such as "keep" may be added freely
        self.text = plain(text)
        self._places: list[Passage] = []
        self._where: dict[str, list[int]] = {}
        known: set[tuple[str, ...]] = set()
        for sentences, heading in places(text):
            if sentences and sentences not in known:
                known.add(sentences)
                words = frozenset(w for s in (*sentences, heading) for w in meant(s))
                for word in words:
                    self._where.setdefault(word, []).append(len(self._places))
                self._places.append(Passage(sentences, words))

    def fault(self, statement: str) -> str:
        """What of this statement is not said here, in a few words; "" where all of it is."""
        bare = plain(statement).strip(" .:;!?")
        if not bare or self._has(bare):
            return ""
        if (taken := [self._taken_back(end) for _, end in self._found(bare)]) and all(taken):
            return "the next sentence takes it back"
        mine = facts(statement)
        worst, nearer = "", 0
        for place, hits in self._near(statement, mine):
            if hits < nearer:
                break  # a sentence that is more like the statement says something else
            why = _turned_in(statement, mine, place)
            if not why:
                return ""
            worst = worst or why
            if len(place.sentences) == 1:
                nearer = max(nearer, hits)
        return worst or "it is not there"

    def _near(self, statement: str, mine: CheckableFacts) -> list[tuple[Passage, int]]:
        """The places that share enough of the statement's words, with how many; the most alike and the shortest first.

        A short statement without numbers needs all its words: with fewer, any place would be like it.
        """
        wanted = meant(statement) - LIGHT if self.light else meant(statement)
        if not wanted and not mine.numbers and not mine.names:
            return []
        hits = Counter(number for word in wanted for number in self._where.get(word, ()))
        need = len(wanted) if len(wanted) < SHORT and not mine.numbers else ceil(self.share * len(wanted))
        near = [n for n in range(len(self._places)) if hits[n] >= need]
        # Sorting keeps the order of the text among equals: a set's order would differ from one process to the next.
        near.sort(key=lambda n: (-hits[n], len(self._places[n].sentences)))
        return [(self._places[n], hits[n]) for n in near[:PLACES]]

    def verbatim(self, text: str) -> bool:
        """Whether every statement of this text stands here in its own words, and none behind a "not"."""
        bare = [plain(statement).strip(" .:;!?") for _, statement in statements(text)]
        return any(bare) and all(self._has(one) for one in bare if one)

    def _has(self, bare: str) -> bool:
        """Whether these very words stand here, not only behind a "not" or before a sentence that takes them back."""
        if not stands_in(bare, self.text):
            return False
        before = [(_DENIES.search(self.text[max(0, start - 60) : start]), end) for start, end in self._found(bare)]
        return not before or any(not denied and not self._taken_back(end) for denied, end in before)

    def _found(self, bare: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(re.escape(bare), self.text)]

    def _taken_back(self, end: int) -> bool:
        return _TAKEN_BACK.match(self.text[end : end + 90]) is not None


_UNTRUE = r"(?:wrong|false|untrue|not true|not so|not the case|no longer (?:true|so|valid|the case)|a mistake)"
_DENIES = re.compile(
    r"(?:(?:\bnot|\bnever|\bno|\bnor|\bwithout|n't|\bno longer)\s+(?:that\s+)?"
    rf"|\bit (?:is|was) {_UNTRUE} (?:that|to)\s+)$"
)
_TAKEN_BACK = re.compile(
    r"[\s.;,]+(?:(?:but|however|yet|from \w+(?: \w+)? on),? )*(?:this|that|it)"
    rf"(?: (?:is|was) {_UNTRUE}| (?:does|did) not (?:hold|apply)| no longer (?:holds|applies))\b"
)
_CALLED_UNTRUE = re.compile(rf"\b(?:it|this|that) (?:is|was) {_UNTRUE}\b")


def _turned_in(statement: str, mine: CheckableFacts, place: Passage) -> str:
    """What this place turns, or lacks, of the statement; "" where it says it."""
    if why := _numbers(statement, mine, facts(place.text), place):
        return why
    text = place.text
    if why := _unnamed(mine, facts(text), text):
        return why
    if _CALLED_UNTRUE.search(plain(text)) and not _CALLED_UNTRUE.search(plain(statement)):
        return "it is said to be untrue"
    place = _focus(statement, place)
    text = place.text
    there = facts(text)
    if why := _marked(mine, there) or _negation(statement, mine, there, place) or _opposite(mine, there):
        return why
    if turned(plain(statement), plain(text), tokens):
        return "it stands the other way round"
    if why := _exchanged(statement, mine, place):
        return why
    return _dropped(statement, place)


def _focus(statement: str, place: Passage) -> Passage:
    """The sentences of a place that the statement is about: for each of its clauses the one that is most like it."""
    if len(place.sentences) == 1:
        return place
    chosen: set[int] = set()
    for clause in segments(statement):
        words, mine = meant(clause), facts(clause)
        values = {n.value for n in mine.numbers}
        best, score = 0, -1
        for number, sentence in enumerate(place.sentences):
            there = facts(sentence)
            alike = 2 * len(values & {n.value for n in there.numbers}) + 2 * len(mine.names & there.names)
            alike += len(words & meant(sentence))
            if alike > score:
                best, score = number, alike
        chosen.add(best)
    kept = tuple(s for n, s in enumerate(place.sentences) if n in chosen)
    return Passage(kept, place.words if len(kept) == len(place.sentences) else _heading_words(place, kept))


def _heading_words(place: Passage, kept: Sequence[str]) -> frozenset[str]:
    """The words of the kept sentences and of the heading above them."""
    of_all = frozenset(w for s in place.sentences for w in meant(s))
    return (place.words - of_all) | frozenset(w for s in kept for w in meant(s))


def _unnamed(mine: CheckableFacts, there: CheckableFacts, text: str) -> str:
    words = {folded(w) for w in re.findall(r"[^\W_][\w]*(?:[.'/+#-][\w]+)*\+*", text)} | {
        folded(w) for w in there.words
    }
    low = text.lower()
    for name in sorted(mine.names):
        if name not in words and name not in there.names and not _stands_word(name, low):
            return f"{name!r} is missing"
    strangers = (there.names | there.maybe) - mine.names - mine.maybe
    for name in mine.maybe:
        if folded(name) not in words and strangers:
            return f"{name!r} is missing"
    return ""


def _marked(mine: CheckableFacts, there: CheckableFacts) -> str:
    """Words such as `only`, `unless`, `some`, and rates."""
    for marker in sorted(mine.markers ^ there.markers):
        if marker in mine.markers or not marker.startswith("per "):
            return f"{marker!r} is {'missing' if marker in mine.markers else 'added'}"
    return ""


def _stands_word(name: str, low: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", low) is not None


def _numbers(statement: str, mine: CheckableFacts, there: CheckableFacts, place: Passage) -> str:
    """Each number with its unit and its bound, beside the words that it belongs to."""
    parts = [(seg, facts(seg), meant(seg)) for s in place.sentences for seg in segments(s)]
    units = {n.unit for n in there.numbers} | {unit(w) for w in there.words}
    for number in mine.numbers:
        same = [n for n in there.numbers if n.value == number.value and _unit_fits(number, n, units)]
        if not same:
            return f"{_shown(number)} is missing"
        if not any(_bound_fits(number, n) for n in same):
            return f"the bound of {_shown(number)} is turned"
        if _displaced(statement, number, mine, parts):
            return f"{_shown(number)} stands for something else"
    said, found = tokens(plain(statement)), tokens(plain(place.text))
    if len(mine.numbers) > 1 and len(found) < 400 and (crossed(said, found) or _swapped(statement, mine, parts)):
        return "numbers are given to each other's words"
    return ""


def _displaced(statement: str, number: Number, mine: CheckableFacts, parts: Sequence[_Part]) -> bool:
    """Whether a foreign number of its unit stands nearer to its words than it does itself."""
    anchors = _anchors(statement, number)
    values = {n.value for n in mine.numbers}
    here, others = [0], [0]
    for _, found, words in parts:
        near = len(anchors & words)
        if any(n.value == number.value for n in found.numbers):
            here.append(near)
        elif any(n.unit == number.unit and n.value not in values for n in found.numbers):
            others.append(near)
    return max(others) > max(here)


def _unit_fits(mine: Number, other: Number, units: set[str]) -> bool:
    """The same unit; one may be left out where it stands beside, or where the statement had none."""
    left_out = not other.unit and (mine.unit in units or mine.unit in SOFT)
    return mine.unit == other.unit or not mine.unit or left_out


def _bound_fits(mine: Number, other: Number) -> bool:
    return mine.bound == other.bound or (not mine.bound and other.bound == "max")


def _anchors(statement: str, number: Number) -> frozenset[str]:
    """The words that a number belongs to: of its clause, or of all the statement where that has none."""
    for part in segments(statement):
        if any(n.value == number.value for n in facts(part).numbers) and (words := meant(part)):
            return words
    return meant(statement)


def _swapped(statement: str, mine: CheckableFacts, parts: Sequence[_Part]) -> bool:
    """Whether two numbers of one unit stand with each other's words."""
    for n, one in enumerate(mine.numbers):
        for two in mine.numbers[n + 1 :]:
            if one.value == two.value or one.unit != two.unit:
                continue
            first, second = _anchors(statement, one), _anchors(statement, two)
            only_first, only_second = first - second, second - first
            if not only_first or not only_second:
                continue
            wrong = right = 0
            for _, f, words in parts:
                has = {x.value for x in f.numbers}
                if (one.value in has) == (two.value in has):
                    continue
                own, other = (only_first, only_second) if one.value in has else (only_second, only_first)
                wrong += len(words & other) > len(words & own)
                right += len(words & own) > len(words & other)
            if wrong and not right:
                return True
    return False


def _exchanged(statement: str, mine: CheckableFacts, place: Passage) -> str:
    """Two names that stand with each other's words."""
    names = sorted(mine.names | mine.maybe)
    if not 2 <= len(names) <= 8:
        return ""
    parts = [(_named_in(seg, names), meant(seg)) for s in place.sentences for seg in segments(s)]
    words = {name: _words_beside(statement, name, names) for name in names}
    for n, one in enumerate(names):
        for two in names[n + 1 :]:
            first, second = words[one] - words[two], words[two] - words[one]
            if not first or not second:
                continue
            alone = [(one in has, beside) for has, beside in parts if (one in has) != (two in has)]
            pairs = [(first, second, w) if is_one else (second, first, w) for is_one, w in alone]
            wrong = sum(len(w & others) > len(w & own) for own, others, w in pairs)
            right = sum(len(w & own) > len(w & others) for own, others, w in pairs)
            if wrong and not right:
                return f"{one!r} and {two!r} are exchanged"
    return ""


def _named_in(text: str, names: Sequence[str]) -> frozenset[str]:
    low = {folded(w) for w in re.findall(r"[^\W_][\w]*(?:[.'/+#-][\w]+)*\+*", text)}
    return frozenset(name for name in names if name in low)


def _words_beside(statement: str, name: str, names: Sequence[str]) -> frozenset[str]:
    """The words of the clause in which this name stands, without any name."""
    own = {w for other in names for w in meant(other)}
    for part in segments(statement):
        if name in _named_in(part, names):
            return meant(part) - own
    return frozenset()


def _negation(statement: str, mine: CheckableFacts, there: CheckableFacts, place: Passage) -> str:
    """The same "not", in the clause that it belongs to."""
    if not mine.negated and not there.negated:
        return ""
    if mine.negated and not there.negated:
        return "its negation is missing"
    parts = [(facts(seg).negated > 0, meant(seg)) for s in place.sentences for seg in segments(s)]
    for clause in segments(statement):
        wanted = meant(clause)
        if not wanted:
            continue
        best = max((len(wanted & w) for _, w in parts), default=0)
        if best == 0:
            continue
        like = {negated for negated, w in parts if len(wanted & w) == best}
        if like != {True, False} and like != {facts(clause).negated > 0} and not _elsewhere(place, wanted, clause):
            return "its negation is missing" if facts(clause).negated else "a negation is added"
    if not mine.negated and len(place.sentences) == 1 and len(segments(place.text)) == 1:
        return "a negation is added"
    return ""


def _elsewhere(place: Passage, wanted: frozenset[str], clause: str) -> bool:
    """Whether a whole sentence of the place has the clause with the right polarity: clauses may be put together."""
    negated = facts(clause).negated > 0
    if not negated:
        return False
    return any(facts(s).negated > 0 and len(wanted & meant(s)) * 2 >= len(wanted) for s in place.sentences)


def _opposite(mine: CheckableFacts, there: CheckableFacts) -> str:
    groups = {group for group, _ in mine.sides}
    for group in sorted(groups):
        own = {side for g, side in mine.sides if g == group}
        other = {side for g, side in there.sides if g == group}
        if group == "must" and mine.negated and there.negated:
            continue  # "may not" is "must not"
        if group in BOTH and other and own - other:
            return f"{group!r} is turned into its opposite"
        if len(own) == 1 and other and own.isdisjoint(other):
            return f"{group!r} is turned into its opposite" if group != "and" else "'and' and 'or' are exchanged"
    return ""


def _dropped(statement: str, place: Passage) -> str:
    """A clause of which nothing stands here."""
    clauses = [(part, meant(part)) for part in segments(statement)]
    if len(clauses) < 2:
        return ""
    for part, words in clauses:
        fresh = words - frozenset(w for other, ws in clauses if other != part for w in ws)
        if len(words) >= 2 and fresh and len(words & place.words) * 3 < len(words):
            return f"{part[:80]!r} is missing"
        if len(fresh) >= 2 and not fresh & place.words:
            return f"{part[:80]!r} is missing"
    return ""


def _shown(number: Number) -> str:
    return f"{number.value} {number.unit}".strip()


def faults_of(decision: str, final: FaithfulText) -> Iterator[tuple[str, str]]:
    """(statement, what of it is missing or turned) for each statement of a decision that the text does not say."""
    for _, statement in statements(decision):
        if why := final.fault(statement):
            yield statement, why


def summary_of(short: str, whole: str) -> bool:
    """Whether `short` says what `whole` says and no more: nothing added, dropped or turned (seed 004, AGREED)."""
    if plain(short).strip(" .:;!?") == plain(whole).strip(" .:;!?"):
        return True
    if not meant(short) or not meant(whole):
        return False
    strict, other = FaithfulText(short, STRICT), FaithfulText(whole, STRICT, light=True)
    return not any(faults_of(whole, strict)) and not any(faults_of(short, other))


def same_facts(one: str, two: str) -> bool:
    """Whether nothing checkable differs between two texts, whatever their words."""
    a, b = facts(plain_lines(one)), facts(plain_lines(two))
    sure = ({*a.numbers}, a.names, a.negated > 0, a.markers) == ({*b.numbers}, b.names, b.negated > 0, b.markers)
    return sure and not _opposite(a, b) and not _opposite(b, a) and not turned(plain(one), plain(two), tokens)


def plain_lines(text: str) -> str:
    """A text without its comments and emphasis."""
    return re.sub(r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}", "", visible(text))
