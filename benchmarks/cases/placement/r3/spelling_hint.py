# pure
from graphbus_core import GraphBusNode, subscribe

WORDS = ("invoice", "receipt", "voucher", "payment", "refund")


def distance(a, b, memo):
    key = (len(a), len(b))
    if key not in memo:
        if not a or not b:
            memo[key] = len(a) + len(b)
        else:
            memo[key] = min(
                distance(a[1:], b, memo) + 1,
                distance(a, b[1:], memo) + 1,
                distance(a[1:], b[1:], memo) + (a[0] != b[0]),
            )
    return memo[key]


class SpellingHint(GraphBusNode):
    @subscribe("/Search/Typed")
    def on_typed(self, payload):
        scores = {}
        for word in WORDS:
            scores[word] = distance(payload["word"], word, {})
        best = min(scores, key=scores.get)
        self.publish("/Search/Hint", {"hint": best, "distance": scores[best]})
