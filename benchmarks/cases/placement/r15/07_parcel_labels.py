# stateful
"""Keeps the labels already given out, in the default value of a function's parameter."""
import re
import unicodedata

from graphbus_core import GraphBusNode, subscribe

NOT_ALLOWED = re.compile(r"[^a-z0-9]+")


def slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return NOT_ALLOWED.sub("-", plain.lower()).strip("-") or "parcel"


def unique_label(base: str, *, width: int = 14, taken: set[str] = set()) -> str:
    label = base[:width]
    number = 2
    while label in taken:
        tail = f"-{number}"
        label = base[: width - len(tail)] + tail
        number += 1
    taken.add(label)
    return label


class ParcelLabels(GraphBusNode):
    """Prints one label for each piece of a consignment."""

    def __init__(self, carrier: str = "north") -> None:
        super().__init__()
        self._carrier = carrier

    @subscribe("/Parcels/Packed")
    def on_packed(self, addressee: str, pieces: int) -> dict[str, object]:
        base = slug(addressee)
        labels = [unique_label(base) for _ in range(max(1, min(pieces, 5)))]
        return {"carrier": self._carrier, "labels": labels}
