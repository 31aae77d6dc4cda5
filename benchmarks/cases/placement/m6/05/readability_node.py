from graphbus_core import GraphBusNode, subscribe

from textkit import sentences, syllables, words
from vocabulary import Vocabulary

GRADES = [(90.0, "very easy"), (70.0, "easy"), (50.0, "fair"), (30.0, "hard")]


def grade(score: float) -> str:
    return next((name for limit, name in GRADES if score >= limit), "very hard")


class ReadabilityNode(GraphBusNode):
    @subscribe("/Readability")
    def on_text(self, text: str) -> dict:
        tokens = words(text)
        if not tokens:
            return {"score": 0.0, "grade": "empty"}
        distinct = Vocabulary()
        numbers = [distinct.number(t) for t in tokens]
        per_sentence = len(tokens) / max(len(sentences(text)), 1)
        per_word = sum(map(syllables, tokens)) / len(tokens)
        score = round(206.835 - 1.015 * per_sentence - 84.6 * per_word, 2)
        return {"score": score, "grade": grade(score), "distinct": max(numbers) + 1, "last": distinct.word(numbers[-1])}
