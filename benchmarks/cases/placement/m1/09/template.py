from desk import front
from desk.sections import BY_KEY
from graphbus_core import GraphBusNode, subscribe


class EmptyPage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/News/TemplateAsked")
    def on_event(self, columns: int) -> list[str]:
        return [f"{BY_KEY[k].title[:columns]:<{columns}}{v}" for k, v in front.items()]
