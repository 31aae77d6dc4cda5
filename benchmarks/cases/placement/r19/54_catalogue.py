# pure
"""The global store of parsed lines only saves work: callers get a copy, and the same line always parses the same."""
from graphbus_core import GraphBusNode, subscribe

PARSED = {}
MAX_PARSED = 200
FIELDS = {"t": "title", "a": "artist", "y": "year", "m": "material"}


def parse(line):
    if line in PARSED:
        return dict(PARSED[line])
    record = {}
    for part in line.split("|"):
        part = part.strip()
        if len(part) < 3 or part[1] != ":":
            continue
        name = FIELDS.get(part[0].lower())
        if name:
            record[name] = part[2:].strip()
    if len(PARSED) >= MAX_PARSED:
        PARSED.clear()
    PARSED[line] = dict(record)
    return record


def century(year):
    digits = "".join([c for c in year if c.isdigit()])[:4]
    if len(digits) < 3:
        return 0
    return (int(digits) - 1) // 100 + 1


class Catalogue(GraphBusNode):
    @subscribe("/Museum/Catalogue")
    def on_line(self, line: str, room: int) -> dict[str, object]:
        record = parse(line)
        record["century"] = century(record.get("year", ""))
        record["room"] = room
        if "artist" in record:
            names = record["artist"].split()
            record["artist"] = ", ".join([names[-1]] + names[:-1]) if names else ""
        missing = [FIELDS[key] for key in "taym" if FIELDS[key] not in record]
        return {"record": record, "missing": missing}
