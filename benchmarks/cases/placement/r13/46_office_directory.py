# stateful
"""cached_property keeps what the first event that touched it made of the settings."""
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe

OFFICES = {
    "north": {"motor": "Kiel", "home": "Bremen"},
    "south": {"motor": "Ulm", "home": "Passau", "legal": "Augsburg"},
}


class Directory:
    region = "north"

    @cached_property
    def table(self) -> dict[str, str]:
        return {line: f"Office {town}" for line, town in OFFICES[self.region].items()}


class OfficeDirectory(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.directory = Directory()

    @subscribe("/Office/Find")
    def find(self, postcode: str, line: str) -> dict[str, object]:
        directory = self.directory
        directory.region = "south" if postcode[:1] in "789" else "north"
        office = directory.table.get(line, "Head office")
        return {"office": office, "direct": office != "Head office"}
