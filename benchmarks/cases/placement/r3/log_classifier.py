# pure
import re

from graphbus_core import GraphBusNode, subscribe


class LogClassifier(GraphBusNode):
    def __init__(self, threshold=2):
        super().__init__()
        self.threshold = threshold
        self.weights = {"error": 3, "timeout": 2, "retry": 1}
        self.patterns = []
        for word in sorted(self.weights, key=self.weights.get, reverse=True):
            self.patterns.append((word, re.compile(rf"\b{word}s?\b", re.I)))
        self.index = {word: n for n, (word, _) in enumerate(self.patterns)}

    def score(self, line):
        hits = {}
        for word, pattern in self.patterns:
            n = len(pattern.findall(line))
            if n:
                hits[word] = hits.get(word, 0) + n * self.weights[word]
        return hits

    @subscribe("/Log/Line")
    def on_line(self, payload):
        hits = self.score(payload["line"])
        total = sum(hits.values())
        order = sorted(hits, key=self.index.__getitem__)
        level = "alert" if total >= self.threshold else "info"
        self.publish("/Log/Class", {"level": level, "score": total, "words": order})
