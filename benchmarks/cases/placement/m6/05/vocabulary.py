class Vocabulary:
    UNKNOWN = "<?>"

    def __init__(self, reserved: tuple[str, ...] = ()) -> None:
        self._index: dict[str, int] = {}
        self._words: list[str] = []
        for word in reserved:
            self.number(word)

    def number(self, word: str) -> int:
        if word not in self._index:
            self._index[word] = len(self._words)
            self._words.append(word)
        return self._index[word]

    def word(self, number: int) -> str:
        if 0 <= number < len(self._words):
            return self._words[number]
        return self.UNKNOWN


english = Vocabulary(("<pad>", "<end>"))
