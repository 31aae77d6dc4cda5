from graphbus_core import GraphBusNode, subscribe
import textkit


class Traffic(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/News/StatsAsked")
    def on_event(self, clicks: int) -> dict[str, object]:
        total = textkit.published(0)
        return {"stories": total, "per_story": round(clicks / total, 3)}
