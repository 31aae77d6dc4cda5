"""'2h 30m' and the like."""
import re

PART = re.compile(r"(\d+)\s*([dhm])")
MINUTES = {"d": 8 * 60, "h": 60, "m": 1}  # a day is a working day


def minutes(text):
    """'1d 2h' -> 600."""
    if not PART.search(text):
        raise ValueError(f"no duration: {text!r}")
    return sum(int(number) * MINUTES[unit] for number, unit in PART.findall(text))


def show(total):
    """600 -> '1d 2h'."""
    parts = []
    for unit, size in MINUTES.items():
        count, total = divmod(total, size)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0m"


UNIT_NAMES = {"d": "day", "h": "hour", "m": "minute"}


def spell_out(text):
    """'1d 2h' -> '1 day, 2 hours', for screen readers."""
    words = []
    for match in PART.finditer(text):
        number, name = match.group(1), UNIT_NAMES[match.group(2)]
        words.append(f"{number} {name}" + ("" if number == "1" else "s"))
    return ", ".join(words)
