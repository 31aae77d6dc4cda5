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
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from graphbus_core.negotiation.document.text.checkable_facts import (
    CheckableFacts,
    Number,
    extract_facts,
    find_unit,
    normalize_name,
    split_segments,
)
from graphbus_core.negotiation.document.text.coverage import (
    SHORT,
    has_crossed_numbers,
    is_turned,
    normalize_text,
    split_statements,
    stands_in,
    tokenize,
)
from graphbus_core.negotiation.document.text.statements import extract_visible_text

# Words that mean the same in plans of software projects: an honest paraphrase may take any of a group. Data only.


_GROUPS = """
keep keeps kept retain retains retained store stores stored hold holds held save saves saved preserve
preserves preserved remain remains stay stays;
delete deletes deleted remove removes removed erase erases erased purge purges purged drop drops dropped
discard discards discarded;
use uses used employ employs employed rely relies adopt adopts adopted choose chooses chosen pick picks
picked;
send sends sent emit emits emitted transmit transmits transmitted deliver delivers delivered;
start starts started begin begins launch launches launched;
stop stops stopped end ends ended finish finishes halt halts;
run runs execute executes executed;
check checks checked verify verifies verified validate validates validated validation;
log logs logged logging;
backup backups;
write writes written;
read reads;
expire expires expired expiry expiration lapse lapses;
retry retries retried;
fail fails failed failure failures error errors;
request requests call calls;
create creates created make makes made;
change changes changed modify modifies modified edit edits edited alter alters altered update updates updated;
encrypt encrypts encrypted encryption;
review reviews reviewed reviewer reviewers;
approve approves approved approval approvals;
deploy deploys deployed deployment deployments release releases released ship ships shipped rollout rollouts;
live lives last lasts valid;
user users person people;
server servers machine machines host hosts;
limit limits limited cap capped;
job jobs task tasks;
alert alerts notify notifies notified notification notifications;
allow allows allowed permit permits permitted may;
forbid forbids forbidden prohibit prohibits prohibited;
need needs needed require requires required must;
test tests tested testing;
copy copies;
record records entry entries;
list lists listed;
replica replicas;
cache caches cached;
wait waits delay delays;
return returns returned reply replies replied answer answers answered respond responds response responses;
measure measures measured;
file files;
document documents documented documentation;
rotate rotates rotated rotation;
sign signs signed signature signatures;
publish publishes published;
"""

SAME: dict[str, str] = {}  # token -> the first word of its group
for _group in re.split(";", _GROUPS):
    _words = _group.split() or [""]
    for _word in _words:
        for _token in tokenize(_word):
            SAME.setdefault(_token, _words[0])


# The places of a document in which one statement may stand: sentences to sections.
#
# And the words of a text that carry its meaning. Pure.


SECTION = 4_000  # characters of a section that is one place
SENTENCES = 3  # of one place, where a statement is spread over several


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document: its sentences, and the words of the heading above it."""

    sentences: tuple[str, ...]
    words: frozenset[str]

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.sentences)


def extract_meaning(text: str) -> frozenset[str]:
    """The words of a text that carry its meaning, one for all that mean the same; numbers and units are not words."""
    return _extract_meaning(text)


@lru_cache(maxsize=16384)
def _extract_meaning(text: str) -> frozenset[str]:
    meanings = set()
    for word in tokenize(re.sub(r"[`*_|#>]+", " ", text)):
        if any(c.isdigit() for c in word) or word in _NO_WORDS:
            continue
        meanings.add(SAME.get(word) or (word[:6] if len(word) > 6 else word))
    return frozenset(meanings)


_NO_WORDS = frozenset(
    re.findall(
        r"\w+",
        """day hour minut second week month year time percent min max most least up one two three four five six seven
        eight nine ten than no not nor neith never without cannot only over under mor less within per""",
    )
)


def iterate_passages(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """(sentences, heading) of every place, the small ones first in each paragraph."""
    for heading, body in _split_sections(text):
        whole: list[str] = []
        for paragraph in _split_paragraphs(body):
            sentences = [s for _, s in split_statements(paragraph, headers=True)]
            whole += sentences
            for sentence in sentences:
                yield (sentence,), heading
            for start in range(len(sentences)):
                for length in range(2, SENTENCES + 1):
                    if start + length <= len(sentences):
                        yield tuple(sentences[start : start + length]), heading
            if len(sentences) > SENTENCES:
                yield tuple(sentences), heading
        if len(body) <= SECTION and len(whole) > 1:
            yield tuple(whole), heading


def _split_paragraphs(body: str) -> Iterator[str]:
    """What stands between blank lines. One inside a code fence parts nothing: else the fence's end would open another,
    and all that follows would be read as code."""
    lines: list[str] = []
    fenced = False
    for line in body.split("\n"):
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        if line.strip() or fenced:
            lines.append(line)
        elif lines:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


def _split_sections(text: str) -> Iterator[tuple[str, str]]:
    """(heading, what stands below it)."""
    heading, body, fenced = "", list[str](), False
    for line in text.split("\n"):
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        if not fenced and re.match(r" {0,3}#{1,6}\s", line):
            yield heading, "\n".join(body)
            heading, body = line.lstrip(" #"), []
        else:
            body.append(line)
    yield heading, "\n".join(body)


_Part = tuple[str, CheckableFacts, frozenset[str]]  # a clause, what it says, its words

SHARE = 1 / 3  # of a statement's words: the others are free
PLACES = 40  # that share the most words with a statement, and are looked at closely
SOFT = ("time", "request", "line", "core", "character")  # "3 retries" are "retried 3 times"
BOTH = frozenset({"manual", "large", "public", "internal", "local", "sync", "online", "first", "high", "enable"})


class FaithfulText:
    """A text, made ready to be asked what of a statement it lacks or turns."""

    def __init__(self, text: str) -> None:
        text = extract_visible_text(text)
        self.text = normalize_text(text)
        self._places: list[Passage] = []
        self._where: dict[str, list[int]] = {}
        known_passages: set[tuple[str, ...]] = set()
        for sentences, heading in iterate_passages(text):
            if sentences and sentences not in known_passages:
                known_passages.add(sentences)
                words = frozenset(w for s in (*sentences, heading) for w in extract_meaning(s))
                for word in words:
                    self._where.setdefault(word, []).append(len(self._places))
                self._places.append(Passage(sentences, words))

    def find_fault(self, statement: str) -> str:
        """What of this statement is not said here, in a few words; "" where all of it is."""
        bare = normalize_text(statement).strip(" .:;!?")
        if not bare or self._has_phrase(bare):
            return ""
        if (taken_back := [self._is_taken_back(end) for _, end in self._find_spans(bare)]) and all(taken_back):
            return "the next sentence takes it back"
        mine = extract_facts(statement)
        worst, nearer = "", 0
        for place, hits in self._find_near_passages(statement, mine):
            if hits < nearer:
                break  # a sentence that is more like the statement says something else
            why = _find_difference(statement, mine, place)
            if not why:
                return ""
            worst = worst or why
            if len(place.sentences) == 1:
                nearer = max(nearer, hits)
        return worst or "it is not there"

    def _find_near_passages(self, statement: str, mine: CheckableFacts) -> list[tuple[Passage, int]]:
        """The places that share enough of the statement's words, with how many; the most alike and the shortest first.

        A short statement without numbers needs all its words: with fewer, any place would be like it.
        """
        statement_words = extract_meaning(statement)
        if not statement_words and not mine.numbers and not mine.names:
            return []
        hits = Counter(number for word in statement_words for number in self._where.get(word, ()))
        need = (
            len(statement_words)
            if len(statement_words) < SHORT and not mine.numbers
            else ceil(SHARE * len(statement_words))
        )
        near = [n for n in range(len(self._places)) if hits[n] >= need]
        # Sorting keeps the order of the text among equals: a set's order would differ from one process to the next.
        near.sort(key=lambda n: (-hits[n], len(self._places[n].sentences)))
        return [(self._places[n], hits[n]) for n in near[:PLACES]]

    def contains_verbatim(self, text: str) -> bool:
        """Whether every statement of this text stands here in its own words, and none behind a "not"."""
        bare = [normalize_text(statement).strip(" .:;!?") for _, statement in split_statements(text)]
        return any(bare) and all(self._has_phrase(phrase) for phrase in bare if phrase)

    def _has_phrase(self, bare: str) -> bool:
        """Whether these very words stand here, not only behind a "not" or before a sentence that takes them back."""
        if not stands_in(bare, self.text):
            return False
        before = [(_DENIES.search(self.text[max(0, start - 60) : start]), end) for start, end in self._find_spans(bare)]
        return not before or any(not denied and not self._is_taken_back(end) for denied, end in before)

    def _find_spans(self, bare: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(re.escape(bare), self.text)]

    def _is_taken_back(self, end: int) -> bool:
        return _TAKES_BACK.match(self.text[end : end + 90]) is not None


_UNTRUE = r"(?:wrong|false|untrue|not true|not so|not the case|no longer (?:true|so|valid|the case)|a mistake)"
_DENIES = re.compile(
    r"(?:(?:\bnot|\bnever|\bno|\bnor|\bwithout|n't|\bno longer)\s+(?:that\s+)?"
    rf"|\bit (?:is|was) {_UNTRUE} (?:that|to)\s+)$"
)
_TAKES_BACK = re.compile(
    r"[\s.;,]+(?:(?:but|however|yet|from \w+(?: \w+)? on),? )*(?:this|that|it)"
    rf"(?: (?:is|was) {_UNTRUE}| (?:does|did) not (?:hold|apply)| no longer (?:holds|applies))\b"
)
_CALLED_UNTRUE = re.compile(rf"\b(?:it|this|that) (?:is|was) {_UNTRUE}\b")


def _find_difference(statement: str, mine: CheckableFacts, place: Passage) -> str:
    """What this place turns, or lacks, of the statement; "" where it says it."""
    if why := _find_changed_number(statement, mine, extract_facts(place.text), place):
        return why
    text = place.text
    if why := _find_missing_name(mine, extract_facts(text), text):
        return why
    if _CALLED_UNTRUE.search(normalize_text(text)) and not _CALLED_UNTRUE.search(normalize_text(statement)):
        return "it is said to be untrue"
    place = _select_sentences(statement, place)
    text = place.text
    place_facts = extract_facts(text)
    if (
        why := _find_changed_marker(mine, place_facts)
        or _find_changed_negation(statement, mine, place_facts, place)
        or _find_opposite(mine, place_facts)
    ):
        return why
    if is_turned(normalize_text(statement), normalize_text(text), tokenize):
        return "it stands the other way round"
    if why := _find_exchanged_names(statement, mine, place):
        return why
    return _find_dropped_clause(statement, place)


def _select_sentences(statement: str, place: Passage) -> Passage:
    """The sentences of a place that the statement is about: for each of its clauses the one that is most like it."""
    if len(place.sentences) == 1:
        return place
    chosen: set[int] = set()
    for clause in split_segments(statement):
        words, mine = extract_meaning(clause), extract_facts(clause)
        values = {n.value for n in mine.numbers}
        best, score = 0, -1
        for number, sentence in enumerate(place.sentences):
            sentence_facts = extract_facts(sentence)
            alike = 2 * len(values & {n.value for n in sentence_facts.numbers}) + 2 * len(
                mine.names & sentence_facts.names
            )
            alike += len(words & extract_meaning(sentence))
            if alike > score:
                best, score = number, alike
        chosen.add(best)
    kept_sentences = tuple(s for n, s in enumerate(place.sentences) if n in chosen)
    return Passage(
        kept_sentences,
        place.words if len(kept_sentences) == len(place.sentences) else _collect_heading_words(place, kept_sentences),
    )


def _collect_heading_words(place: Passage, kept_sentences: Sequence[str]) -> frozenset[str]:
    """The words of the kept sentences and of the heading above them."""
    of_all = frozenset(w for s in place.sentences for w in extract_meaning(s))
    return (place.words - of_all) | frozenset(w for s in kept_sentences for w in extract_meaning(s))


def _find_missing_name(mine: CheckableFacts, place_facts: CheckableFacts, text: str) -> str:
    words = {normalize_name(w) for w in re.findall(r"[^\W_][\w]*(?:[.'/+#-][\w]+)*\+*", text)} | {
        normalize_name(w) for w in place_facts.words
    }
    low = text.lower()
    for name in sorted(mine.names):
        if name not in words and name not in place_facts.names and not _contains_word(name, low):
            return f"{name!r} is missing"
    strangers = (place_facts.names | place_facts.maybe) - mine.names - mine.maybe
    for name in mine.maybe:
        if normalize_name(name) not in words and strangers:
            return f"{name!r} is missing"
    return ""


def _find_changed_marker(mine: CheckableFacts, place_facts: CheckableFacts) -> str:
    """Words such as `only`, `unless`, `some`, and rates."""
    for marker in sorted(mine.markers ^ place_facts.markers):
        if marker in mine.markers or not marker.startswith("per "):
            return f"{marker!r} is {'missing' if marker in mine.markers else 'added'}"
    return ""


def _contains_word(name: str, low: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", low) is not None


def _find_changed_number(statement: str, mine: CheckableFacts, place_facts: CheckableFacts, place: Passage) -> str:
    """Each number with its unit and its bound, beside the words that it belongs to."""
    parts = [(seg, extract_facts(seg), extract_meaning(seg)) for s in place.sentences for seg in split_segments(s)]
    units = {n.unit for n in place_facts.numbers} | {find_unit(w) for w in place_facts.words}
    for number in mine.numbers:
        same = [n for n in place_facts.numbers if n.value == number.value and _fits_unit(number, n, units)]
        if not same:
            return f"{_format_number(number)} is missing"
        if not any(_fits_bound(number, n) for n in same):
            return f"the bound of {_format_number(number)} is turned"
        if _is_displaced(statement, number, mine, parts):
            return f"{_format_number(number)} stands for something else"
    statement_tokens, place_tokens = tokenize(normalize_text(statement)), tokenize(normalize_text(place.text))
    if (
        len(mine.numbers) > 1
        and len(place_tokens) < 400
        and (has_crossed_numbers(statement_tokens, place_tokens) or _are_numbers_swapped(statement, mine, parts))
    ):
        return "numbers are given to each other's words"
    return ""


def _is_displaced(statement: str, number: Number, mine: CheckableFacts, parts: Sequence[_Part]) -> bool:
    """Whether a foreign number of its unit stands nearer to its words than it does itself."""
    anchors = _find_anchors(statement, number)
    values = {n.value for n in mine.numbers}
    own_matches, others = [0], [0]
    for _, part_facts, words in parts:
        near = len(anchors & words)
        if any(n.value == number.value for n in part_facts.numbers):
            own_matches.append(near)
        elif any(n.unit == number.unit and n.value not in values for n in part_facts.numbers):
            others.append(near)
    return max(others) > max(own_matches)


def _fits_unit(mine: Number, other: Number, units: set[str]) -> bool:
    """The same unit; one may be left out where it stands beside, or where the statement had none."""
    left_out = not other.unit and (mine.unit in units or mine.unit in SOFT)
    return mine.unit == other.unit or not mine.unit or left_out


def _fits_bound(mine: Number, other: Number) -> bool:
    return mine.bound == other.bound or (not mine.bound and other.bound == "max")


def _find_anchors(statement: str, number: Number) -> frozenset[str]:
    """The words that a number belongs to: of its clause, or of all the statement where that has none."""
    for part in split_segments(statement):
        if any(n.value == number.value for n in extract_facts(part).numbers) and (words := extract_meaning(part)):
            return words
    return extract_meaning(statement)


def _are_numbers_swapped(statement: str, mine: CheckableFacts, parts: Sequence[_Part]) -> bool:
    """Whether two numbers of one unit stand with each other's words."""
    for n, number in enumerate(mine.numbers):
        for other_number in mine.numbers[n + 1 :]:
            if number.value == other_number.value or number.unit != other_number.unit:
                continue
            first, second = _find_anchors(statement, number), _find_anchors(statement, other_number)
            only_first, only_second = first - second, second - first
            if not only_first or not only_second:
                continue
            wrong = right = 0
            for _, f, words in parts:
                has = {x.value for x in f.numbers}
                if (number.value in has) == (other_number.value in has):
                    continue
                own, other = (only_first, only_second) if number.value in has else (only_second, only_first)
                wrong += len(words & other) > len(words & own)
                right += len(words & own) > len(words & other)
            if wrong and not right:
                return True
    return False


def _find_exchanged_names(statement: str, mine: CheckableFacts, place: Passage) -> str:
    """Two names that stand with each other's words."""
    names = sorted(mine.names | mine.maybe)
    if not 2 <= len(names) <= 8:
        return ""
    parts = [(_find_named(seg, names), extract_meaning(seg)) for s in place.sentences for seg in split_segments(s)]
    words = {name: _find_words_beside(statement, name, names) for name in names}
    for n, left_name in enumerate(names):
        for right_name in names[n + 1 :]:
            first, second = words[left_name] - words[right_name], words[right_name] - words[left_name]
            if not first or not second:
                continue
            alone = [(left_name in has, beside) for has, beside in parts if (left_name in has) != (right_name in has)]
            pairs = [(first, second, w) if is_one else (second, first, w) for is_one, w in alone]
            wrong = sum(len(w & others) > len(w & own) for own, others, w in pairs)
            right = sum(len(w & own) > len(w & others) for own, others, w in pairs)
            if wrong and not right:
                return f"{left_name!r} and {right_name!r} are exchanged"
    return ""


def _find_named(text: str, names: Sequence[str]) -> frozenset[str]:
    low = {normalize_name(w) for w in re.findall(r"[^\W_][\w]*(?:[.'/+#-][\w]+)*\+*", text)}
    return frozenset(name for name in names if name in low)


def _find_words_beside(statement: str, name: str, names: Sequence[str]) -> frozenset[str]:
    """The words of the clause in which this name stands, without any name."""
    own = {w for other in names for w in extract_meaning(other)}
    for part in split_segments(statement):
        if name in _find_named(part, names):
            return extract_meaning(part) - own
    return frozenset()


def _find_changed_negation(statement: str, mine: CheckableFacts, place_facts: CheckableFacts, place: Passage) -> str:
    """The same "not", in the clause that it belongs to."""
    if not mine.negated and not place_facts.negated:
        return ""
    if mine.negated and not place_facts.negated:
        return "its negation is missing"
    parts = [
        (extract_facts(seg).negated > 0, extract_meaning(seg)) for s in place.sentences for seg in split_segments(s)
    ]
    for clause in split_segments(statement):
        clause_words = extract_meaning(clause)
        if not clause_words:
            continue
        best = max((len(clause_words & w) for _, w in parts), default=0)
        if best == 0:
            continue
        like = {negated for negated, w in parts if len(clause_words & w) == best}
        if (
            like != {True, False}
            and like != {extract_facts(clause).negated > 0}
            and not _stands_elsewhere(place, clause_words, clause)
        ):
            return "its negation is missing" if extract_facts(clause).negated else "a negation is added"
    if not mine.negated and len(place.sentences) == 1 and len(split_segments(place.text)) == 1:
        return "a negation is added"
    return ""


def _stands_elsewhere(place: Passage, clause_words: frozenset[str], clause: str) -> bool:
    """Whether a whole sentence of the place has the clause with the right polarity: clauses may be put together."""
    negated = extract_facts(clause).negated > 0
    if not negated:
        return False
    return any(
        extract_facts(s).negated > 0 and len(clause_words & extract_meaning(s)) * 2 >= len(clause_words)
        for s in place.sentences
    )


def _find_opposite(mine: CheckableFacts, place_facts: CheckableFacts) -> str:
    groups = {group for group, _ in mine.sides}
    for group in sorted(groups):
        own = {side for g, side in mine.sides if g == group}
        other = {side for g, side in place_facts.sides if g == group}
        if group == "must" and mine.negated and place_facts.negated:
            continue  # "may not" is "must not"
        if group in BOTH and other and own - other:
            return f"{group!r} is turned into its opposite"
        if len(own) == 1 and other and own.isdisjoint(other):
            return f"{group!r} is turned into its opposite" if group != "and" else "'and' and 'or' are exchanged"
    return ""


def _find_dropped_clause(statement: str, place: Passage) -> str:
    """A clause of which nothing stands here."""
    clauses = [(part, extract_meaning(part)) for part in split_segments(statement)]
    if len(clauses) < 2:
        return ""
    for part, words in clauses:
        fresh = words - frozenset(w for other, ws in clauses if other != part for w in ws)
        if len(words) >= 2 and fresh and len(words & place.words) * 3 < len(words):
            return f"{part[:80]!r} is missing"
        if len(fresh) >= 2 and not fresh & place.words:
            return f"{part[:80]!r} is missing"
    return ""


def _format_number(number: Number) -> str:
    return f"{number.value} {number.unit}".strip()


def find_statement_faults(decision: str, final: FaithfulText) -> Iterator[tuple[str, str]]:
    """(statement, what of it is missing or turned) for each statement of a decision that the text does not say."""
    for _, statement in split_statements(decision):
        if why := final.find_fault(statement):
            yield statement, why
