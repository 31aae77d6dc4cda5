# pure
"""The rank table is built once by the first event, from constants alone, and so it makes no difference which event that is."""
from graphbus_core import GraphBusNode, subscribe

RANKS = None
NAMES = ["friend", "supporter", "patron", "benefactor"]
FIRST_STEP = 50
LETTER = "Dear %s,\nthank you for %d EUR. You are a %s of our museum.%s"
GIFTS = {"friend": "", "supporter": " A poster is yours.", "patron": " We invite you to the opening."}


def load_ranks():
    global RANKS
    if RANKS is None:
        table = []
        step = FIRST_STEP
        for name in NAMES:
            table.append((step, name))
            step = step * 5
        table.reverse()
        RANKS = table
    return RANKS


def rank_of(amount):
    for least, name in load_ranks():
        if amount >= least:
            return name
    return "guest"


def address(name, title):
    parts = name.split()
    if title:
        return title + " " + parts[-1]
    return parts[0]


class ThankYou(GraphBusNode):
    @subscribe("/Museum/Donations")
    def on_donation(self, name: str, title: str, amount: int) -> dict[str, object]:
        rank = rank_of(amount)
        gift = GIFTS.get(rank, " The director will call you." if rank == "benefactor" else "")
        text = LETTER % (address(name, title), amount, rank, gift)
        return {"rank": rank, "letter": text, "receipt": amount >= 300}
