"""Whether a document takes up what only one source said; and texts as statements, tokens, plain lines.

A comparison of words, with no model: a statement is covered where the document quotes it, or where one sentence or
paragraph of it holds most of its words, all its numbers, the same "not", and pairs them no other way. Comments are not
said; of a table each row is a statement. Who is told that something is missing and thinks otherwise can always quote
it. Linear in the length of the texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from graphbus_core.negotiation.document.text.statements import extract_visible_text

# Whether two sentences of the same words pair them differently: `logs 30, metrics 90` is not `logs 90, metrics 30`.
#
# Honest paraphrases move clauses about, so order alone says little. Two things are told from it: which of two numbers
# goes with which word, and which side of a word like `over` something stands on. Where there is doubt, nothing is said
# to be crossed. Pure functions over words in their order.


Tokens = Callable[[str], list[str]]

_SIDES = {  # A over B: what stands on one side is preferred to, or comes before, what stands on the other
    "prefer": r"over|instead of|rather than|in place of|ahead of",
    "before": r"before",
    "after": r"after",
    "to": r"-+>|=+>|→",
}
_SIDE = "|".join(rf"(?P<{name}>(?<!\w)(?:{words})(?!\w))" for name, words in _SIDES.items())


def has_crossed_numbers(statement: Sequence[str], candidate: Sequence[str]) -> bool:
    """Whether `found` gives two numbers of `said` to each other's words."""
    numbers = [(position, word) for position, word in enumerate(statement) if _has_digit(word)]
    if len(numbers) < 2:
        return False
    once, where = Counter(statement), Counter(candidate)
    place = {word: position for position, word in enumerate(candidate) if where[word] == 1}

    def select_single(words: Sequence[str]) -> list[str]:
        return [w for w in words if once[w] == 1 and w in place and not _has_digit(w)]

    ends = [-1, *(position for position, _ in numbers), len(statement)]
    for n, ((first, a), (second, b)) in enumerate(pairwise(numbers)):
        if once[a] > 1 or once[b] > 1 or a not in place or b not in place:
            continue
        before, between, behind = (
            select_single(statement[ends[n] + 1 : first]),
            select_single(statement[first + 1 : second]),
            select_single(statement[second + 1 : ends[n + 3]]),
        )
        same_way = place[a] < place[b]
        verdicts = [
            [(place[x] < place[y]) == same_way for x, y in product(left_words[-8:], right_words[-8:])]
            for left_words, right_words in ((before, between), (between, behind))
        ]
        outcomes = [any(verdict) for verdict in verdicts if verdict]
        if outcomes and not any(outcomes) and not _is_still_beside(statement, candidate, first, second, place):
            return True
    return False


def _is_still_beside(
    statement: Sequence[str], candidate: Sequence[str], first: int, second: int, place: dict[str, int]
) -> bool:
    """Whether a number is still followed by the word that followed it, and not the other: what it counts."""
    mine, other = statement[first + 1 : first + 2], statement[second + 1 : second + 2]
    if mine == other:
        return False
    now, then = place[statement[first]] + 1, place[statement[second]] + 1
    return any(
        after and candidate[position : position + 1] == after for position, after in ((now, mine), (then, other))
    )


def _has_digit(word: str) -> bool:
    return any(c.isdigit() for c in word)


def is_turned(statement: str, candidate: str, tokens: Tokens) -> bool:
    """Whether `found` has on the other side of `over`, `before` and the like what `said` has on this."""
    mine = _split_around(statement, tokens)
    other = _split_around(candidate, tokens) if mine is not None else None
    if mine is None or other is None:
        return False
    (kind, left_words, right_words), (kind2, left2, right2) = mine, other
    if not left_words or not right_words:
        return False
    left_word, right_word = left_words[-1], right_words[0]
    if left_word == right_word or {kind, kind2} not in ({kind}, {"before", "after"}):
        return False
    if kind != kind2:
        return left_word in left2 and left_word not in right2 and right_word in right2 and right_word not in left2
    return left_word in right2 and left_word not in left2 and right_word in left2 and right_word not in right2


def _split_around(text: str, tokens: Tokens) -> tuple[str, list[str], list[str]] | None:
    """The one word of this kind in a text, and what stands before and behind it."""
    matches = list(re.finditer(_SIDE, text))
    if len(matches) != 1:
        return None
    match = matches[0]
    return str(match.lastgroup), tokens(text[: match.start()]), tokens(text[match.end() :])


ENOUGH = 0.6  # of a statement's words, in one place of the document
SHORT = 3  # a statement with fewer words of its own must be there whole
MAX_STATEMENTS = 20_000
PAIRED = 5_000  # characters of a place in which words are looked at in their order

_WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
_LINES = re.compile(r"^[ \t]*[|:*_=-](?:[ \t]*[|:*_=-])*[ \t]*$", re.MULTILINE)  # rules, and lines of tables
_ITEM = re.compile(r"^(?:[-+*]|\d+[.)])\s+")  # how a list item begins
_MARKUP = re.compile(r"[*_`~]+|^\s*(?:[-+*]|\d+[.)]|#+|>|\|)\s+", re.MULTILINE)
_LONG = r"[^\W\d_]{4}\Z"  # of a word this long an ending may follow
_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s+|(?<=[。！？])")
_STOP: frozenset[str] = frozenset(
    re.findall(
        r"\S+",
        """a an and are as at be been being but by can do does for from had has have if in into is it its may more most
        of on or our shall should so such than that the their them then there these they this those to use used
        uses using was we were will with would you your must also each every all any when which who what where how""",
    )
)
_NOT: frozenset[str] = frozenset(
    re.findall(
        r"\S+",
        "not no never without neither nor cannot n't don't doesn't won't can't isn't aren't nobody nothing none",
    )
)


@dataclass(frozen=True, slots=True)
class Point:
    """One statement of one source."""

    source: str
    line: int
    text: str


def extract_words(text: str) -> tuple[str, ...]:
    """The words that carry meaning, folded so that small differences of form do not count."""
    return tuple(dict.fromkeys(tokenize(text)))


def tokenize(text: str) -> list[str]:
    """The same in their order, each as often as it stands there."""
    token_list: list[str] = []
    for match in _WORD.finditer(text.casefold().replace("’", "'")):
        word = match.group()
        if _CJK.search(word):
            token_list.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif word not in _STOP:
            token_list.append(_stem_word(word))
    return token_list


def _stem_word(word: str) -> str:
    if word in _NOT or not word.isalpha() or len(word) < 4:
        return word
    if len(word) == 4:
        return word[:3] if word[3] in "es" and word[2] != "s" else word
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)].rstrip("e")
    return word.rstrip("e")


def normalize_text(text: str) -> str:
    """Text without markup, in one line, in small letters."""
    return " ".join(_MARKUP.sub(" ", _LINES.sub("", text).replace("|", " ")).casefold().split())


def split_statements(text: str, headers: bool = False) -> Iterator[tuple[int, str]]:
    """Each sentence, bullet or table row with its line; headings and code fences are not.

    The first row of a table says what stands in the columns: it is a statement only where it stands alone.
    """
    paragraph: list[str] = []
    start, fenced, count = 1, False, 0
    lines = [*extract_visible_text(text).splitlines(), ""]
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        fence = bare.startswith(("```", "~~~"))
        says = bool(bare) and not bare.startswith("#") and _LINES.fullmatch(line) is None and not fence and not fenced
        if not says or bare.startswith("|") or _ITEM.match(bare) is not None:
            for sentence in _SENTENCE.split(" ".join(paragraph)):
                if sentence.strip() and count < MAX_STATEMENTS:
                    count += 1
                    yield start, sentence.strip()
            paragraph = []
        fenced ^= fence
        if says and (headers or "|" not in bare or not _is_table_header(lines, number)):
            if not paragraph:
                start = number
            row = bare.startswith("|")
            paragraph.append(" ".join(bare.split("|")).strip() if row else _ITEM.sub("", bare))


def _is_table_header(lines: Sequence[str], number: int) -> bool:
    """Whether this line (from 1) names the columns of a table that has more rows."""
    below = [line.strip() for line in lines[number : number + 2]]
    return len(below) == 2 and _LINES.fullmatch(below[0]) is not None and "-" in below[0] and "|" in below[1]


@dataclass(frozen=True, slots=True)
class _Unit:
    """One place of a document: a sentence, an item, or a whole paragraph; `items` are those of a list or table."""

    text: str
    words: frozenset[str]
    items: tuple[frozenset[str], ...] = ()


class CoveredText:
    """A text, made ready to be asked whether it says something."""

    def __init__(self, text: str) -> None:
        text = extract_visible_text(text)
        self.text = normalize_text(text)
        self._units: list[_Unit] = []
        self._where: dict[str, list[int]] = {}
        for _, sentence in split_statements(text, headers=True):
            self._add(sentence)
        for paragraph in re.split(r"\n\s*\n", text):
            lines = paragraph.strip().split("\n")
            listed = sum(re.match(r"\s*(?:[-+*]|\d+[.)]|\|)\s*", line) is not None for line in lines)
            items = [s for _, s in split_statements(paragraph, headers=True)] if listed > 1 else []
            self._add(paragraph, tuple(frozenset(extract_words(_MARKUP.sub(" ", item))) for item in items))

    def _add(self, text: str, items: tuple[frozenset[str], ...] = ()) -> None:
        unit_words = frozenset(extract_words(_MARKUP.sub(" ", text)))
        for word in unit_words:
            self._where.setdefault(word, []).append(len(self._units))
        self._units.append(_Unit(text, unit_words, items))

    def says(self, statement: str) -> bool:
        """Whether it says this, as far as words can tell."""
        bare = normalize_text(statement).strip(" .:;!?")
        if not bare or stands_in(bare, self.text):
            return True
        statement_words = extract_words(_MARKUP.sub(" ", statement))
        if not statement_words:
            return False
        hits: Counter[int] = Counter()
        for word in statement_words:
            hits.update(self._where.get(word, ()))
        need = len(statement_words) if len(statement_words) < SHORT else ENOUGH * len(statement_words)
        hard = {word for word in statement_words if any(c.isdigit() for c in word)}
        negated = not _NOT.isdisjoint(statement_words)
        for place, count in hits.items():
            unit = self._units[place]
            if count < need or not hard <= unit.words:
                continue
            if (not _NOT.isdisjoint(unit.words)) != negated or _pairs_differently(
                statement, statement_words, hard, unit
            ):
                continue
            if count == len(statement_words) or not self._has_other_numbers(set(statement_words) - hard, hard):
                return True
        return False

    def _has_other_numbers(self, soft: Collection[str], hard: Collection[str]) -> bool:
        """Whether one sentence has all these words, little else, and other numbers."""
        if not hard or not soft:
            return False
        for place in min((self._where.get(word, []) for word in soft), key=len):
            unit = self._units[place].words
            more = unit.difference(soft)
            alike = len(more) == len(unit) - len(soft) and len(more) <= len(hard) + 2
            if alike and more.isdisjoint(hard) and any(c.isdigit() for word in more for c in word):
                return True
        return False

    def contains_title(self, title: str) -> bool:
        """Whether these words stand in it, whole."""
        bare = normalize_text(title).strip(" .:;!?")
        return bool(bare) and stands_in(bare, self.text)


def _pairs_differently(statement: str, statement_words: Collection[str], hard: Collection[str], unit: _Unit) -> bool:
    """Whether this place has the words of the statement, and pairs them differently."""
    if len(unit.text) <= PAIRED:
        statement_text, place_text = normalize_text(statement), normalize_text(unit.text)
        if (len(hard) > 1 and has_crossed_numbers(tokenize(statement_text), tokenize(place_text))) or is_turned(
            statement_text, place_text, tokenize
        ):
            return True
    return bool(hard) and _is_in_another_item(statement_words, hard, unit.items)


def _is_in_another_item(
    statement_words: Collection[str], hard: Collection[str], items: Sequence[Collection[str]]
) -> bool:
    """Whether a number stands in one item of a list, and its words in another, which has a number of its own."""
    mine = [set(item) for item in items if not set(item).isdisjoint(hard)]
    rest = [set(item) for item in items if set(item).isdisjoint(hard)]
    numbered_items = [item for item in rest if any(c.isdigit() for word in item for c in word)]
    elsewhere = {w for item in numbered_items for w in item if w in statement_words}
    own_words = {w for item in mine for w in item if w in statement_words and w not in hard}
    return bool(elsewhere - own_words) and not own_words - elsewhere


def stands_in(bare: str, text: str) -> bool:
    """Whether `bare` stands in `text`, not as a part of a longer word or number; a plural is not another word."""
    start = text.find(bare)
    for _ in range(1000):
        if start < 0:
            return False
        end = start + len(bare)
        if not _has_begun_before(text[max(0, start - 2) : start], bare[0]) and not _is_continued(
            text[end : end + 4], bare
        ):
            return True
        start = text.find(bare, start + 1)
    return False


def _has_begun_before(before: str, edge: str) -> bool:
    """Whether the word that begins with `edge` has begun before. Scripts without spaces have no such edge."""
    if not before or not edge.isalnum() or _CJK.match(edge):
        return False
    last, first = before[-1], before[:-1]
    if last in "'’":
        return first.isalnum()
    if last in ".,":
        return edge.isdigit() and first.isdigit()
    return last.isalnum() and not _CJK.match(last)


def _is_continued(behind: str, bare: str) -> bool:
    """Whether the last word of `bare` goes on in `behind`."""
    edge = bare[-1]
    if not behind or not edge.isalnum() or _CJK.match(edge):
        return False
    if behind[0] in ".,":
        return edge.isdigit() and behind[1:2].isdigit()
    if re.search(_LONG, bare) and re.match(r"[^\W\d_]{1,2}(?![^\W_])", behind):
        return False
    return behind[0].isalnum() and not _CJK.match(behind[0])


def find_unique_points(sources: Mapping[str, str]) -> tuple[Point, ...]:
    """The statements that only one source makes."""
    documents = {name: CoveredText(text) for name, text in sources.items()}
    points = []
    for name, text in sources.items():
        for line, statement in split_statements(text):
            if len(extract_words(statement)) < SHORT:
                continue
            if not any(other != name and document.says(statement) for other, document in documents.items()):
                points.append(Point(name, line, statement))
    return tuple(points)


def find_missing_points(points: Sequence[Point], document: str) -> tuple[Point, ...]:
    """Those that the document does not take up."""
    covered = CoveredText(document)
    return tuple(point for point in points if not covered.says(point.text))
