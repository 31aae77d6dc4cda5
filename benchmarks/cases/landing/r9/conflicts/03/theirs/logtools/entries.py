"""Reading of our plain log files: `LEVEL  message` on every line."""
from collections import namedtuple

Entry = namedtuple("Entry", "level message")


def parse(line):
    level, _, message = line.strip().partition(" ")
    return Entry(level.upper(), message.strip())


def read_entries(path):
    """The entries of the file, one by one: the logs have grown to gigabytes."""
    with open(path, encoding="utf-8") as handle:
        for line in handle:
            if line.strip():
                yield parse(line)
