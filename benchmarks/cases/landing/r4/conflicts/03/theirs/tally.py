"""How many lines of each level."""
from collections import Counter

from logparse import parse_line


def tally(lines):
    """-> (Counter of levels, number of lines skipped)."""
    counts, skipped = Counter(), 0
    for line in lines:
        try:
            _, level, _ = parse_line(line)
        except ValueError:
            skipped += 1
        else:
            counts[level] += 1
    return counts, skipped
