from corrections import extended
from graphbus_core import GraphBusNode, subscribe

PAIRS = {"de": "„“", "fr": "«»", "en": "“”"}


class Quotes(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.opened = 0

    @subscribe("/News/QuoteFiled")
    def on_event(self, text: str, lang: str) -> str:
        left, right = PAIRS[lang]
        self.opened = 0
        out = []
        for c in text:
            if c == "'":
                c = right if self.opened % 2 else left
                self.opened += 1
            out.append(c)
        return "".join(out)

    @subscribe("/News/WordBanned")
    def on_ban(self, word: str) -> str:
        rx, to = extended([], word, "[...]")[0]
        return rx.sub(to, f"he said {word} twice, {word.upper()}!")
