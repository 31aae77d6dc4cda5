"""Lending tools, with the cards of the library."""
from collections import Counter

from graphbus_core import GraphBusNode, depends_on, schema_method

# (where, word here) -> (where, word there): one and the same value under two words.
SAME_VALUE = {
    ("LoanDesk.lend", "member"): ("CardReader.swipe", "card_id"),
    ("Statistics.visit", "person"): ("CardReader.swipe", "card_id"),
}


def synonyms(where):
    return {word: there for (place, word), (_, there) in SAME_VALUE.items() if place == where}


class CardReader(GraphBusNode):
    START, END = 0x02, 0x03

    @schema_method(input_schema={"frame": bytes}, output_schema={"card_id": str, "branch": str})
    def swipe(self, frame):
        if frame[0] != self.START or frame[-1] != self.END:
            raise ValueError("swipe again")
        card, branch = frame[1:-1].decode("ascii").split("|")
        return {"card_id": card, "branch": branch}


class Statistics:
    def __init__(self):
        self.visits = Counter()

    def visit(self, person):
        self.visits[person[0]] += 1


class LoanDesk(GraphBusNode):
    most = 5

    def __init__(self):
        super().__init__()
        self.loans = Counter()

    @depends_on("CardReader.swipe")
    @schema_method(input_schema={"member": str}, output_schema={"loans": int, "left": int})
    def lend(self, member):
        if member[:2] != "C-":
            raise PermissionError(member)
        if self.loans[member] >= self.most:
            raise PermissionError("five are enough")
        self.loans[member] += 1
        return {"loans": self.loans[member], "left": self.most - self.loans[member]}
