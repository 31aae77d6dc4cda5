from graphbus_core import GraphBusNode, subscribe

from rating import ratings, settle, title


class MatchNode(GraphBusNode):
    @subscribe("/Match")
    def on_result(self, winner: str, loser: str) -> dict:
        gain = settle(ratings, winner, loser)
        return {"gain": round(gain, 3), "title": title(ratings[winner])}
