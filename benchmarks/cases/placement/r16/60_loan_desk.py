# stateful
"""The reference stock is a map object, which a membership test uses up."""
from graphbus_core import GraphBusNode, subscribe

REFERENCE_ONLY = map(str.casefold, ("Atlas", "Bible", "Codex", "Duden", "Encyclopedia"))
DAYS = {"student": 14, "teacher": 42}


def lendable(title: str) -> bool:
    return title.casefold() not in REFERENCE_ONLY


class LoanDesk(GraphBusNode):
    @subscribe("/Library/Loan")
    def on_loan(self, reader: str, role: str, title: str) -> dict[str, object]:
        if role not in DAYS:
            return {"reader": reader, "refused": "no card"}
        if not lendable(title):
            return {"reader": reader, "refused": "reading room only"}
        return {"reader": reader, "days": DAYS[role]}
