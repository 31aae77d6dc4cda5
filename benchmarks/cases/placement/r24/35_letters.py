# pure
"""The memo of letter sums changes no answer, it only spares the adding."""
from graphbus_core import GraphBusNode, subscribe

GROUPS = {1: "aeioulnstr", 2: "dg", 3: "bcmp", 4: "fhvwy", 5: "k", 8: "jx", 10: "qz"}
WORTH = {ch: pts for pts, chars in GROUPS.items() for ch in chars}

TRIPLE_WORD = {(r, c) for r in (0, 7, 14) for c in (0, 7, 14)} - {(7, 7)}
DOUBLE_WORD = {(i, i) for i in (1, 2, 3, 4, 7)} | {(14 - i, i) for i in (1, 2, 3, 4)}
DOUBLE_LETTER = {(0, 3), (0, 11), (3, 0), (3, 7), (7, 3), (7, 11)}

_memo = {}


def plain(word):
    if word not in _memo:
        if len(_memo) > 500:
            _memo.clear()
        _memo[word] = sum(WORTH.get(ch, 0) for ch in word)
    return _memo[word]


class Letters(GraphBusNode):
    BINGO = 50

    def _placed(self, word, row, col):
        factor = 1
        extra = 0
        for i, ch in enumerate(word):
            square = (row, col + i)
            if square in TRIPLE_WORD:
                factor *= 3
            elif square in DOUBLE_WORD:
                factor *= 2
            elif square in DOUBLE_LETTER:
                extra += WORTH.get(ch, 0)
        return (plain(word) + extra) * factor

    @subscribe("/board/word")
    def on_word(self, word: str, row: int, col: int) -> dict:
        word = word.lower()
        if col + len(word) > 15:
            return {"score": 0, "legal": False}
        score = self._placed(word, row, col)
        if len(word) >= 7:
            score += self.BINGO
        return {"score": score, "legal": True, "plain": plain(word)}
