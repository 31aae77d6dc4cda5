from graphbus_core import GraphBusNode, subscribe
from textkit import counter, words


class ReadingTime(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/News/TextSaved")
    def on_event(self, text: str, speed: int) -> dict[str, int]:
        syllables = counter()
        for w in words(text):
            syllables(max(1, sum(c in "aeiou" for c in w)))
        return {"syllables": syllables(0), "seconds": syllables(0) * 60 // speed}
