# stateful
from difflib import SequenceMatcher

from graphbus_core import GraphBusNode, subscribe

_matcher = SequenceMatcher(None, "", "", autojunk=False)


def likeness(headline: str) -> float:
    _matcher.set_seq1(headline.lower())
    score = _matcher.ratio()
    _matcher.set_seq2(headline.lower())
    return score


class HeadlineFilter(GraphBusNode):
    """Agencies send the same story several times with small edits."""

    def __init__(self, limit: float = 0.8):
        super().__init__()
        self.limit = limit

    @subscribe("/News/Headline")
    def on_headline(self, payload):
        score = likeness(payload["title"])
        if score >= self.limit:
            self.publish("/News/Dropped", {"title": payload["title"]})
        else:
            self.publish("/News/Accepted", {"title": payload["title"],
                                            "score": round(score, 2)})
