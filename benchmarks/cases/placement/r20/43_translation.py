# pure
"""Applies a glossary to a text; the numbering of the notes is counted within one text."""
import re
import string
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

GLOSSARY = {
    "en": {"schraube": "screw", "mutter": "nut", "unterlegscheibe": "washer", "gewinde": "thread"},
    "fr": {"schraube": "vis", "mutter": "écrou", "gewinde": "filetage"},
}
UNITS = {"mm": ("in", 1 / 25.4), "kg": ("lb", 2.20462), "nm": ("lbf·ft", 0.737562)}
MEASURE = re.compile(r"(\d+(?:,\d+)?)\s?(mm|kg|Nm)\b", re.I)
NOTE = string.Template("[$number] $source is not in the glossary ($language)")


def words_replacer(language: str, missing: list[str]) -> Callable[[re.Match], str]:
    table = GLOSSARY.get(language, {})
    number = 0

    def replace(match: re.Match) -> str:
        nonlocal number
        word = match.group(0)
        target = table.get(word.lower())
        if target is None:
            if not any(word.lower() in entries for entries in GLOSSARY.values()):
                return word
            number += 1
            missing.append(NOTE.substitute(number=number, source=word, language=language))
            return f"{word}[{number}]"
        return target.capitalize() if word[0].isupper() and language == "de" else target

    return replace


def convert(match: re.Match) -> str:
    value = float(match[1].replace(",", "."))
    unit, factor = UNITS[match[2].lower()]
    return f"{value * factor:.3g} {unit}"


class Translator(GraphBusNode):
    _word = re.compile(r"[A-Za-zäöüß]+")

    @subscribe("/Translation/Segment")
    def on_segment(self, text: str, language: str, imperial: bool) -> dict[str, object]:
        notes: list[str] = []
        result = self._word.sub(words_replacer(language, notes), text)
        if imperial:
            result = MEASURE.sub(convert, result)
        words = self._word.findall(text)
        return {"text": result, "notes": notes, "words": len(words), "cents": 12 * len(words) + 3 * len(notes)}
