from graphbus_core import GraphBusNode, subscribe

LEET = str.maketrans("013457", "oleast")
BAD = {"noob", "loser"}


class ChatFilter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.memo: dict[str, bool] = {}

    def bad(self, word: str) -> bool:
        hit = self.memo.get(word)
        if hit is None:
            if len(self.memo) > 3:
                self.memo.clear()
            hit = self.memo[word] = word.lower().translate(LEET) in BAD
        return hit

    @subscribe("/Game/ChatSent")
    def on_event(self, text: str) -> str:
        return " ".join("*" * len(w) if self.bad(w) else w for w in text.split())
