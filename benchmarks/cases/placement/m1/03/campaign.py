from graphbus_core import GraphBusNode, subscribe

from shopconf import fresh


class Campaign(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Shop/CampaignStarted")
    def on_event(self, name: str, minimum: int) -> dict[str, object]:
        conf = fresh()
        conf["min_order"] = minimum
        before = conf["banner"]["text"]
        conf["banner"]["text"] = name.title()
        return {"was": before, "min_order": conf["min_order"]}
