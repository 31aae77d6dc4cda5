# pure
"""Converts chapter numbers with functions behind lru_cache that return immutable values; the caches change no answer."""
import re
from functools import cache, lru_cache

from graphbus_core import GraphBusNode, subscribe

_PAIRS = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
          (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_REFERENCE = re.compile(r"\bch(?:apter|\.)?\s*([ivxlcdm]+|\d+)\b", re.IGNORECASE)


@lru_cache(maxsize=256)
def to_roman(number: int) -> str:
    if number <= 0 or number >= 4000:
        return str(number)
    for value, letters in _PAIRS:
        if number >= value:
            rest = number - value
            return letters + (to_roman(rest) if rest else "")
    raise AssertionError(number)


@cache
def _values() -> dict[str, int]:
    return {letters: value for value, letters in _PAIRS if len(letters) == 1}


@lru_cache(maxsize=256)
def from_roman(text: str) -> int:
    values = [_values()[c] for c in text.upper()]
    return sum(-v if any(w > v for w in values[i + 1:i + 2]) else v for i, v in enumerate(values))


class RomanChapters(GraphBusNode):
    @subscribe("/Editing/Paragraph")
    def on_paragraph(self, text: str, style: str) -> dict:
        found: list[int] = []

        def rewrite(match: re.Match) -> str:
            raw = match[1]
            number = int(raw) if raw.isdigit() else from_roman(raw.lower())
            found.append(number)
            return f"Chapter {to_roman(number) if style == 'roman' else number}"

        changed = _REFERENCE.sub(rewrite, text)
        return {"text": changed, "chapters": sorted(set(found))}
