from graphbus_core import GraphBusNode, subscribe

import seal


class CertifiedCopies(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Court/Copy/Ordered")
    def certify(self, case: str, text: str) -> dict[str, str]:
        body = "\n".join(line.rstrip() for line in text.splitlines())
        return {"case": case, "mark": seal.certify(case, body)}

    @subscribe("/Court/Copy/Presented")
    def verify(self, case: str, text: str, mark: str) -> dict[str, bool]:
        return {"genuine": seal.agrees(mark, case, text)}
