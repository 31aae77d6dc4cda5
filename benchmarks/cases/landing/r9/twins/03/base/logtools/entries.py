"""Reading of our plain log files: `LEVEL  message` on every line."""
from collections import namedtuple

Entry = namedtuple("Entry", "level message")


def parse(line):
    level, _, message = line.strip().partition(" ")
    return Entry(level.upper(), message.strip())


def read_entries(path):
    """All entries of the file."""
    entries = []
    with open(path, encoding="utf-8") as handle:
        for line in handle:
            if line.strip():
                entries.append(parse(line))
    return entries
