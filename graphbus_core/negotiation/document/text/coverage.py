"""Whether a document takes up what only one source said; and texts as statements, tokens, plain lines.

A comparison of words, with no model: a statement is covered where the document quotes it, or where one sentence or
paragraph of it holds most of its words, all its numbers, the same "not", and pairs them no other way. Comments are not
said; of a table each row is a statement. Who is told that something is missing and thinks otherwise can always quote
it. Linear in the length of the texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphbus_core.negotiation.document.text.pairing import crossed, turned

ENOUGH = 0.6  # of a statement's words, in one place of the document
SHORT = 3  # a statement with fewer words of its own must be there whole
MAX_STATEMENTS = 20_000
PAIRED = 5_000  # characters of a place in which words are looked at in their order

_WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
_LINES = re.compile(r"^[ \t]*[|:*_=-](?:[ \t]*[|:*_=-])*[ \t]*$", re.MULTILINE)  # rules, and lines of tables
_ITEM = re.compile(r"^(?:[-+*]|\d+[.)])\s+")  # how a list item begins
_MARKUP = re.compile(r"[*_`~]+|^\s*(?:[-+*]|\d+[.)]|#+|>|\|)\s+", re.MULTILINE)
_COMMENT = r"`+[^`\n]*`+|<!--(?:.*?(?P<end>-->)|.*)"
_STRUCK = re.compile(r"(`+[^`\n]*`+)|~~(?=\S).+?(?<=\S)~~")  # struck out, and code, in which nothing is
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


def visible(text: str) -> str:
    """A text without its HTML comments and what is struck out: what a reader takes as said. Lines keep their numbers;
    code fences keep all."""
    if "<!--" not in text and "~~" not in text:
        return text
    shown: list[str] = []
    fence = ""
    hidden = False
    for line in text.split("\n"):
        if hidden:
            _, end, line = line.partition("-->")
            hidden = not end
        if not hidden:
            bare = line.strip()
            if not fence and bare.startswith(("```", "~~~")):
                fence = bare[:3]
            elif fence:
                fence = "" if bare.startswith(fence) else fence
            else:
                line, hidden = _uncommented(line)
                line = _STRUCK.sub(lambda match: match[1] or "", line)
        shown.append("" if hidden and not line else line)
    return "\n".join(shown)


def _uncommented(line: str) -> tuple[str, bool]:
    """A line without its comments, and whether the last goes on. In `code` there are none."""
    kept: list[str] = []
    place = 0
    for match in re.finditer(_COMMENT, line):
        if match.group().startswith("<"):
            kept.append(line[place : match.start()])
            place = match.end()
            if not match["end"]:
                return "".join(kept), True
    kept.append(line[place:])
    return "".join(kept), False


def words(text: str) -> tuple[str, ...]:
    """The words that carry meaning, folded so that small differences of form do not count."""
    return tuple(dict.fromkeys(tokens(text)))


def tokens(text: str) -> list[str]:
    """The same in their order, each as often as it stands there."""
    found: list[str] = []
    for match in _WORD.finditer(text.casefold().replace("’", "'")):
        word = match.group()
        if _CJK.search(word):
            found.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif word not in _STOP:
            found.append(_stem(word))
    return found


def _stem(word: str) -> str:
    if word in _NOT or not word.isalpha() or len(word) < 4:
        return word
    if len(word) == 4:
        return word[:3] if word[3] in "es" and word[2] != "s" else word
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)].rstrip("e")
    return word.rstrip("e")


def plain(text: str) -> str:
    """Text without markup, in one line, in small letters."""
    return " ".join(_MARKUP.sub(" ", _LINES.sub("", text).replace("|", " ")).casefold().split())


def statements(text: str, headers: bool = False) -> Iterator[tuple[int, str]]:
    """Each sentence, bullet or table row with its line; headings and code fences are none.

    The first row of a table says what stands in the columns: it is a statement only where it stands alone.
    """
    paragraph: list[str] = []
    start, fenced, count = 1, False, 0
    lines = [*visible(text).splitlines(), ""]
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
        if says and (headers or "|" not in bare or not _heads_table(lines, number)):
            if not paragraph:
                start = number
            row = bare.startswith("|")
            paragraph.append(" ".join(bare.split("|")).strip() if row else _ITEM.sub("", bare))


def _heads_table(lines: Sequence[str], number: int) -> bool:
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
        text = visible(text)
        self.text = plain(text)
        self._units: list[_Unit] = []
        self._where: dict[str, list[int]] = {}
        for _, sentence in statements(text, headers=True):
            self._add(sentence)
        for paragraph in re.split(r"\n\s*\n", text):
            lines = paragraph.strip().split("\n")
            listed = sum(re.match(r"\s*(?:[-+*]|\d+[.)]|\|)\s*", line) is not None for line in lines)
            items = [s for _, s in statements(paragraph, headers=True)] if listed > 1 else []
            self._add(paragraph, tuple(frozenset(words(_MARKUP.sub(" ", item))) for item in items))

    def _add(self, text: str, items: tuple[frozenset[str], ...] = ()) -> None:
        found = frozenset(words(_MARKUP.sub(" ", text)))
        for word in found:
            self._where.setdefault(word, []).append(len(self._units))
        self._units.append(_Unit(text, found, items))

    def says(self, statement: str) -> bool:
        """Whether it says this, as far as words can tell."""
        bare = plain(statement).strip(" .:;!?")
        if not bare or stands_in(bare, self.text):
            return True
        wanted = words(_MARKUP.sub(" ", statement))
        if not wanted:
            return False
        hits: Counter[int] = Counter()
        for word in wanted:
            hits.update(self._where.get(word, ()))
        need = len(wanted) if len(wanted) < SHORT else ENOUGH * len(wanted)
        hard = {word for word in wanted if any(c.isdigit() for c in word)}
        negated = not _NOT.isdisjoint(wanted)
        for place, count in hits.items():
            unit = self._units[place]
            if count < need or not hard <= unit.words:
                continue
            if (not _NOT.isdisjoint(unit.words)) != negated or _otherwise(statement, wanted, hard, unit):
                continue
            if count == len(wanted) or not self._numbered_otherwise(set(wanted) - hard, hard):
                return True
        return False

    def _numbered_otherwise(self, soft: Collection[str], hard: Collection[str]) -> bool:
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

    def names(self, title: str) -> bool:
        """Whether these words stand in it, whole."""
        bare = plain(title).strip(" .:;!?")
        return bool(bare) and stands_in(bare, self.text)


def _otherwise(statement: str, wanted: Collection[str], hard: Collection[str], unit: _Unit) -> bool:
    """Whether this place has the words of the statement, and pairs them differently."""
    if len(unit.text) <= PAIRED:
        said, found = plain(statement), plain(unit.text)
        if (len(hard) > 1 and crossed(tokens(said), tokens(found))) or turned(said, found, tokens):
            return True
    return bool(hard) and _in_another_item(wanted, hard, unit.items)


def _in_another_item(wanted: Collection[str], hard: Collection[str], items: Sequence[Collection[str]]) -> bool:
    """Whether a number stands in one item of a list, and its words in another, which has a number of its own."""
    mine = [set(item) for item in items if not set(item).isdisjoint(hard)]
    rest = [set(item) for item in items if set(item).isdisjoint(hard)]
    taken = [item for item in rest if any(c.isdigit() for word in item for c in word)]
    elsewhere = {w for item in taken for w in item if w in wanted}
    here = {w for item in mine for w in item if w in wanted and w not in hard}
    return bool(elsewhere - here) and not here - elsewhere


def stands_in(bare: str, text: str) -> bool:
    """Whether `bare` stands in `text`, not as a part of a longer word or number; a plural is not another word."""
    at = text.find(bare)
    for _ in range(1000):
        if at < 0:
            return False
        end = at + len(bare)
        if not _begun_before(text[max(0, at - 2) : at], bare[0]) and not _goes_on(text[end : end + 4], bare):
            return True
        at = text.find(bare, at + 1)
    return False


def _begun_before(before: str, edge: str) -> bool:
    """Whether the word that begins with `edge` has begun before. Scripts without spaces have no such edge."""
    if not before or not edge.isalnum() or _CJK.match(edge):
        return False
    last, first = before[-1], before[:-1]
    if last in "'’":
        return first.isalnum()
    if last in ".,":
        return edge.isdigit() and first.isdigit()
    return last.isalnum() and not _CJK.match(last)


def _goes_on(behind: str, bare: str) -> bool:
    """Whether the last word of `bare` goes on in `behind`."""
    edge = bare[-1]
    if not behind or not edge.isalnum() or _CJK.match(edge):
        return False
    if behind[0] in ".,":
        return edge.isdigit() and behind[1:2].isdigit()
    if re.search(_LONG, bare) and re.match(r"[^\W\d_]{1,2}(?![^\W_])", behind):
        return False
    return behind[0].isalnum() and not _CJK.match(behind[0])


def unique_points(sources: Mapping[str, str]) -> tuple[Point, ...]:
    """The statements that only one source makes."""
    documents = {name: CoveredText(text) for name, text in sources.items()}
    found = []
    for name, text in sources.items():
        for line, statement in statements(text):
            if len(words(statement)) < SHORT:
                continue
            if not any(other != name and document.says(statement) for other, document in documents.items()):
                found.append(Point(name, line, statement))
    return tuple(found)


def missing_points(points: Sequence[Point], document: str) -> tuple[Point, ...]:
    """Those that the document does not take up."""
    asked = CoveredText(document)
    return tuple(point for point in points if not asked.says(point.text))
