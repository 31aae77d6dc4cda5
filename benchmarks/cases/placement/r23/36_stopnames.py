# pure
"""The table fills itself while it is used, but with values that hang on the key alone."""
from graphbus_core import GraphBusNode, subscribe


class SpokenNames(dict):
    abbreviations = {"St.": "Street", "Sq.": "Square", "Stn": "Station", "Hosp.": "Hospital"}

    def __missing__(self, name: str) -> str:
        words = [self.abbreviations.get(word, word) for word in name.split()]
        return self.setdefault(name, self.finish(words))

    def finish(self, words: list[str]) -> str:
        return " ".join(words)


class InterchangeNames(SpokenNames):
    def finish(self, words: list[str]) -> str:
        spoken = super().finish(words)
        return f"{spoken}, change here for trains" if "Station" in words else spoken


class StopAnnouncer(GraphBusNode):
    limit = 500

    def __init__(self) -> None:
        super().__init__()
        self.names = InterchangeNames()
        self.asked = 0

    @subscribe("/Vehicle/NextStop")
    def on_stop(self, name: str, request: bool, terminal: bool) -> dict:
        self.asked += 1
        if len(self.names) > self.limit:
            self.names.clear()
        text = self.names[name]
        if terminal:
            text += ". This bus ends here"
        elif request:
            text += ", on request"
        return {"text": text, "seconds": round(0.4 * len(text.split()), 1)}
