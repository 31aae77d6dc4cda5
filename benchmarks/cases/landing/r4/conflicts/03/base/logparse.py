"""Parser of our application logs."""
from datetime import date

LEVELS = ("DEBUG", "INFO", "WARN", "ERROR")


def parse_line(line):
    """'2024-01-05 ERROR disk full' -> (date, level, message)."""
    parts = line.rstrip("\n").split(" ", 2)
    if len(parts) < 3:
        raise ValueError(f"not a log line: {line!r}")
    day, level, message = parts
    if level not in LEVELS:
        raise ValueError(f"unknown level {level!r}")
    return date.fromisoformat(day), level, message


def errors(lines):
    return [entry[2] for entry in map(parse_line, lines) if entry[1] == "ERROR"]
