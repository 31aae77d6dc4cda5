# pure
"""The reused text buffer is rewound and emptied before each title."""
import io
import re
import unicodedata

from graphbus_core import GraphBusNode, subscribe

SPECIAL = str.maketrans({
    "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa", "&": " and ", "€": " euro ", "%": " percent ",
})
NOISE = frozenset("a an the of for in on to and".split())
SPLIT = re.compile(r"[^a-z0-9]+")


def ascii_words(title: str) -> list[str]:
    text = unicodedata.normalize("NFC", title).lower().translate(SPECIAL)
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return [word for word in SPLIT.split(text) if word]


class SlugWriter:
    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.buffer = io.StringIO()

    def write(self, words: list[str]) -> str:
        out = self.buffer
        out.seek(0)
        out.truncate(0)
        for word in words:
            needed = len(word) + (1 if out.tell() else 0)
            if out.tell() + needed > self.limit:
                break
            if out.tell():
                out.write("-")
            out.write(word)
        return out.getvalue()


class Slugs(GraphBusNode):
    """Addresses for new articles."""

    def __init__(self) -> None:
        super().__init__()
        self._writer = SlugWriter(limit=40)

    @subscribe("/articles/titled")
    def on_title(self, section: str, title: str, year: int) -> dict[str, object]:
        words = ascii_words(title)
        telling = [word for word in words if word not in NOISE] or words
        slug = self._writer.write(telling)
        if not slug:
            slug = "untitled"
        path = "/".join(part for part in (section.strip("/").lower(), str(year), slug) if part)
        return {"path": f"/{path}", "shortened": slug.count("-") + 1 < len(telling), "words": len(words)}
