from collections import namedtuple

from van import Van

FIELDS = "units note"
LINES = """
30 monday
70 fair
"""

Row = namedtuple("Row", FIELDS)
for line in LINES.split("\n")[1:-1]:
    row = Row(*line.split())
    row = row._replace(**{Row._fields[0]: int(row[0])})
    print(row.note, Van().pack(**row._asdict())["boxes"])
