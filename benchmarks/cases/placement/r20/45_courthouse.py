# stateful
"""Assigns files to chambers; the list of conflicts is a generator, which a search uses up."""
import re

from graphbus_core import GraphBusNode, subscribe

CASE = re.compile(r"^(?P<chamber>\d{1,2})\s+(?P<register>[A-Z][A-Za-z]*)\s+(?P<number>\d+)/(?P<year>\d\d)$")
REGISTERS = {"O": "civil", "S": "appeal", "KLs": "criminal", "T": "complaint"}
CHAMBERS = {"civil": [1, 4, 7], "appeal": [9], "criminal": [2, 3], "complaint": [8, 9]}

CONFLICTS_TEXT = """
Steiner: 4
Brandl: 1, 7
Kraus: 2
Vogt: 9
"""


def read_conflicts(text: str):
    for line in text.strip().splitlines():
        name, _, chambers = line.partition(":")
        for chamber in chambers.split(","):
            yield name.strip(), int(chamber)


def initials(name: str) -> str:
    return "".join(part[0] for part in name.split() if part)


class Registry(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.conflicts = read_conflicts(CONFLICTS_TEXT)

    def may_hear(self, chamber: int, lawyer: str) -> bool:
        return (lawyer, chamber) not in self.conflicts

    @subscribe("/Court/File")
    def on_file(self, reference: str, plaintiff: str, lawyer: str) -> dict[str, object]:
        match = CASE.match(reference.strip())
        if match is None:
            return {"reference": reference, "error": "not a file number"}
        kind = REGISTERS.get(match["register"], "complaint")
        candidates = CHAMBERS[kind]
        wanted = int(match["chamber"])
        order = [wanted, *candidates] if wanted in candidates else candidates
        chamber = next((c for c in order if self.may_hear(c, lawyer)), None)
        return {
            "reference": f"{chamber} {match['register']} {int(match['number'])}/{match['year']}",
            "kind": kind,
            "party": initials(plaintiff),
            "moved": chamber != wanted,
        }
