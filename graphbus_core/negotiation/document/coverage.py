"""Whether a document says what it claims to say: every decision, and what only one source said.

A comparison of words, with no model: a statement is covered where the document quotes it, or where one sentence or
paragraph of it holds most of its words, all its numbers, and the same "not". Who is told that something is missing and
thinks otherwise can always quote it. Linear in the length of the texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphbus_core.negotiation.document.state import Issue
from graphbus_core.negotiation.document.vocabulary import Reason, Status

ENOUGH = 0.6  # of a statement's words, in one place of the document
SHORT = 3  # a statement with fewer words of its own must be there whole
MAX_STATEMENTS = 20_000

_WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
_MARKUP = re.compile(r"[*_`~]+|^\s*(?:[-+*]|\d+[.)]|#+|>|\|)\s+", re.MULTILINE)
_COMMENT = re.compile(r"`+[^`\n]*`+|<!--(?:.*?(?P<end>-->)|.*)")
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
    """A text without its HTML comments: what a reader sees. Lines keep their numbers; code fences keep all."""
    if "<!--" not in text:
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
        shown.append("" if hidden and not line else line)
    return "\n".join(shown)


def _uncommented(line: str) -> tuple[str, bool]:
    """A line without its comments, and whether the last goes on. In `code` there are none."""
    kept: list[str] = []
    place = 0
    for match in _COMMENT.finditer(line):
        if match.group().startswith("<"):
            kept.append(line[place : match.start()])
            place = match.end()
            if not match["end"]:
                return "".join(kept), True
    kept.append(line[place:])
    return "".join(kept), False


def words(text: str) -> tuple[str, ...]:
    """The words that carry meaning, folded so that small differences of form do not count."""
    found: list[str] = []
    for match in _WORD.finditer(text.casefold().replace("’", "'")):
        word = match.group()
        if _CJK.search(word):
            found.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif word not in _STOP:
            found.append(_stem(word))
    return tuple(dict.fromkeys(found))


def _stem(word: str) -> str:
    if word in _NOT or not word.isalpha() or len(word) < 5:
        return word
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)].rstrip("e")
    return word.rstrip("e")


def plain(text: str) -> str:
    """Text without markup, in one line, in small letters."""
    return " ".join(_MARKUP.sub(" ", text).casefold().split())


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Each sentence, bullet or table row with its line; headings and code fences are none."""
    paragraph: list[str] = []
    start, fenced, count = 1, False, 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        bare = line.strip()
        fence = bare.startswith(("```", "~~~"))
        item = re.match(r"(?:[-+*]|\d+[.)]|\|)\s+", bare) is not None
        if not bare or bare.startswith("#") or fence or item or fenced:
            for sentence in _SENTENCE.split(" ".join(paragraph)):
                if sentence.strip() and count < MAX_STATEMENTS:
                    count += 1
                    yield start, sentence.strip()
            paragraph = []
        if fence:
            fenced = not fenced
        elif bare and not fenced and not bare.startswith("#"):
            if not paragraph:
                start = number
            paragraph.append(re.sub(r"^(?:[-+*]|\d+[.)]|\|)\s+", "", bare))


class Document:
    """A text, made ready to be asked whether it says something."""

    def __init__(self, text: str) -> None:
        self.text = plain(text)
        self._units: list[frozenset[str]] = []
        self._where: dict[str, list[int]] = {}
        for unit in [*(s for _, s in statements(text)), *re.split(r"\n\s*\n", text)]:
            found = frozenset(words(_MARKUP.sub(" ", unit)))
            for word in found:
                self._where.setdefault(word, []).append(len(self._units))
            self._units.append(found)

    def says(self, statement: str) -> bool:
        """Whether it says this, as far as words can tell."""
        bare = plain(statement).strip(" .;:!?")
        if not bare or bare in self.text:
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
        for unit, count in hits.items():
            if count < need or not hard <= self._units[unit]:
                continue
            if (not _NOT.isdisjoint(self._units[unit])) == negated:
                return True
        return False


def missing_decisions(issues: Iterable[Issue], final: str) -> Iterator[Reason]:
    """Each statement of a decision that the document does not hold, and each escalated issue that it does not name."""
    document = Document(final)
    for issue in issues:
        if issue.status is Status.AGREED:
            for _, statement in statements(issue.decision):
                if not document.says(statement):
                    yield Reason(
                        f"The decision on {issue.title!r} is not in it: {_short(statement)!r}.",
                        f"Put it in, as positions/{issue.stem}.md has it.",
                        "final.md",
                        code="decision",
                    )
        elif issue.status is Status.ESCALATE:
            names = (issue.title, issue.stem, issue.stem.partition("-")[2].replace("-", " "))
            if not any(name and plain(name) in document.text for name in names):
                yield Reason(
                    f"{issue.title!r} was escalated and is not named as unresolved.",
                    "Name it there, with both sides.",
                    "final.md",
                    code="decision",
                )


def unique_points(sources: Mapping[str, str]) -> tuple[Point, ...]:
    """The statements that only one source makes."""
    documents = {name: Document(text) for name, text in sources.items()}
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
    asked = Document(document)
    return tuple(point for point in points if not asked.says(point.text))


def _short(text: str, limit: int = 160) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
