import catalogue
from graphbus_core import GraphBusNode, subscribe


class CampaignDesk(GraphBusNode):
    @subscribe("/Campaign/Started")
    def start(self, genre: str, percent: int) -> dict:
        capped = min(max(percent, 0), 60)
        catalogue.CAMPAIGNS.append((genre, capped))
        return {"genre": genre, "percent": capped, "accepted": True}


class ShelfLabel(GraphBusNode):
    @subscribe("/Label/Wanted")
    def label(self, isbn: str) -> str:
        title = catalogue.TITLES.get(isbn)
        if title is None:
            return "no such title"
        off = catalogue.campaign_percent(title.genre)
        if not off:
            return f"{title.name}  {title.price}"
        now = title.price * (100 - off) / 100
        return f"{title.name}  {now:.2f} (-{off}%)"
