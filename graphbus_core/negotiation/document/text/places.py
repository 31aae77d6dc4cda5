"""The places of a document in which one statement may stand: sentences to sections.

And the words of a text that carry its meaning. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from graphbus_core.negotiation.document.text.coverage import statements, tokens
from graphbus_core.negotiation.document.text.synonyms import SAME

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


def meant(text: str) -> frozenset[str]:
    """The words of a text that carry its meaning, one for all that mean the same; numbers and units are not words."""
    return _meant(text)


@lru_cache(maxsize=16384)
def _meant(text: str) -> frozenset[str]:
    found = set()
    for word in tokens(re.sub(r"[`*_|#>]+", " ", text)):
        if any(c.isdigit() for c in word) or word in _NO_WORDS:
            continue
        found.add(SAME.get(word) or (word[:6] if len(word) > 6 else word))
    return frozenset(found)


_NO_WORDS = frozenset(
    re.findall(
        r"\w+",
        """day hour minut second week month year time percent min max most least up one two three four five six seven
        eight nine ten than no not nor neith never without cannot only over under mor less within per""",
    )
)


def places(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """(sentences, heading) of every place, the small ones first in each paragraph."""
    for heading, body in _sections(text):
        whole: list[str] = []
        for paragraph in _paragraphs(body):
            said = [s for _, s in statements(paragraph, headers=True)]
            whole += said
            for one in said:
                yield (one,), heading
            for at in range(len(said)):
                for length in range(2, SENTENCES + 1):
                    if at + length <= len(said):
                        yield tuple(said[at : at + length]), heading
            if len(said) > SENTENCES:
                yield tuple(said), heading
        if len(body) <= SECTION and len(whole) > 1:
            yield tuple(whole), heading


def _paragraphs(body: str) -> Iterator[str]:
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


def _sections(text: str) -> Iterator[tuple[str, str]]:
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
