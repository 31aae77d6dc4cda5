from graphbus_core import GraphBusNode, subscribe

import rating


class LeaderboardNode(GraphBusNode):
    @subscribe("/Leaderboard")
    def on_request(self, top: int) -> dict:
        ranked = sorted(rating.ratings.items(), key=lambda item: (-item[1], item[0]))
        return {"rows": [f"{i}. {name} {points:.0f}" for i, (name, points) in enumerate(ranked[:top], 1)]}
