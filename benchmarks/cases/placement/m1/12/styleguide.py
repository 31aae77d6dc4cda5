import corrections
from graphbus_core import GraphBusNode, subscribe


class StyleGuide(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.rules = corrections.HOUSE

    @subscribe("/News/RuleAgreed")
    def on_event(self, wrong: str, right: str) -> dict[str, object]:
        rules = corrections.plus(self.rules, wrong, right)
        return {"last": rules[-1][1], "sample": corrections.apply(f"{wrong} and ok", rules), "n": len(rules)}
