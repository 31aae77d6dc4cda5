# stateful
"""A shorter text does not overwrite the whole buffer, so the end of the earlier one stays behind it."""
from graphbus_core import GraphBusNode, subscribe

FIELDS = {"order": (0, 8), "customer": (8, 14), "piece": (22, 10)}
LABEL = bytearray(b"." * 32)
DRIVES = {"n": "north", "s": "south", "e": "east"}


def put(field, text):
    at, size = FIELDS[field]
    data = text.encode("ascii", "replace")[:size]
    LABEL[at:at + len(data)] = data


def crc():
    value = 0
    for byte in LABEL:
        value = (value * 31 + byte) % 9973
    return value


class Stickers(GraphBusNode):
    @subscribe("/Packing/Piece")
    def on_piece(self, order: str, customer: str, piece: str, tour: str = "n") -> dict:
        put("order", order)
        put("customer", customer.upper())
        put("piece", piece)
        return {
            "label": LABEL.decode("ascii"),
            "crc": crc(),
            "tour": DRIVES.get(tour, "pick up"),
        }
