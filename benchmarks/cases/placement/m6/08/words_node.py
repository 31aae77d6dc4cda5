from collections import Counter

from graphbus_core import GraphBusNode, subscribe

from boards import POINTS
from rating import title


class WordsNode(GraphBusNode):
    """Scores words laid from a rack of letters."""

    BONUS = {7: 50, 6: 10}

    @subscribe("/Words")
    def on_rack(self, rack: str, words: list[str]) -> dict:
        have = Counter(rack)
        scores = {}
        impossible = []
        for word in words:
            if Counter(word) - have:
                impossible.append(word)
                continue
            scores[word] = sum(POINTS[c] for c in word) + self.BONUS.get(len(word), 0)
        best = max(scores, key=lambda w: (scores[w], w), default=None)
        return {"scores": scores, "best": best, "impossible": impossible, "title": title(1200 + sum(scores.values()))}
