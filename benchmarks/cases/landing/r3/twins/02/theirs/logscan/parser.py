"""Lines of the access service: 2024-05-01T10:00:00 LEVEL component: message"""
import re
from typing import NamedTuple

LINE = re.compile(r"^(\S+) (DEBUG|INFO|WARN|ERROR) (.*)$")


class BadLine(ValueError):
    pass


class Record(NamedTuple):
    time: str
    level: str
    message: str


def parse_line(line):
    """Split one line into its time, level and message."""
    found = LINE.match(line.rstrip("\n"))
    if not found:
        raise BadLine(line)
    return Record(time=found.group(1), level=found.group(2), message=found.group(3))


def parse(lines):
    """Yield the parsed lines; what is not a log line is dropped."""
    for line in lines:
        try:
            yield parse_line(line)
        except BadLine:
            continue
