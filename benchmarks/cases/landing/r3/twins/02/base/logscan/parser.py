"""Lines of the access service: 2024-05-01T10:00:00 LEVEL component: message"""
import re

LINE = re.compile(r"^(\S+) (DEBUG|INFO|WARN|ERROR) (.*)$")


class BadLine(ValueError):
    pass


def parse_line(line):
    """Split one line into its time, level and message."""
    found = LINE.match(line.rstrip("\n"))
    if not found:
        raise BadLine(line)
    return found.group(1), found.group(2), found.group(3)


def parse(lines):
    """Yield the parsed lines; what is not a log line is dropped."""
    for line in lines:
        try:
            yield parse_line(line)
        except BadLine:
            continue
