from graphbus_core import GraphBusNode, subscribe

from seal import enter


class Docket(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Court/Filing/Received")
    def file(self, case: str, party: str, pages: int) -> dict[str, str]:
        return {"case": case, "receipt": enter(case, party, str(pages))}
