"""Parser of our application logs."""
from datetime import date

LEVELS = ("DEBUG", "INFO", "WARN", "ERROR")


class LogError(Exception):
    """A line that is not ours."""

    def __init__(self, line, reason):
        super().__init__(f"{reason}: {line!r}")
        self.line = line
        self.reason = reason


def parse_line(line):
    """'2024-01-05 ERROR disk full' -> (date, level, message)."""
    parts = line.rstrip("\n").split(" ", 2)
    if len(parts) < 3:
        raise LogError(line, "not a log line")
    day, level, message = parts
    if level not in LEVELS:
        raise LogError(line, "unknown level")
    return date.fromisoformat(day), level, message


def errors(lines):
    return [entry[2] for entry in map(parse_line, lines) if entry[1] == "ERROR"]
