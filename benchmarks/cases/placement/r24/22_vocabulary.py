# pure
"""Word numbers are handed out anew for every text."""
import re
from collections import Counter
from graphbus_core import GraphBusNode, subscribe

WORD = re.compile(r"[a-z']+")


class Numbering(dict):
    def __missing__(self, word):
        self[word] = len(self)
        return self[word]


class Document:
    def __init__(self, text):
        self.words = WORD.findall(text.lower())
        self.ids = Numbering()

    def encoded(self):
        return [self.ids[w] for w in self.words]

    def bigrams(self):
        return Counter(zip(self.words, self.words[1:]))


class Indexer(GraphBusNode):
    @subscribe("/texts/new")
    def on_text(self, text: str, limit: int) -> dict:
        doc = Document(text)
        codes = doc.encoded()
        frequent = [w for w, n in Counter(doc.words).most_common(limit) if n > 1]
        pairs = sorted(doc.bigrams().items(), key=lambda kv: (-kv[1], kv[0]))
        return {
            "codes": codes[: limit * 4],
            "types": len(doc.ids),
            "frequent": frequent,
            "pair": " ".join(pairs[0][0]) if pairs else None,
        }
