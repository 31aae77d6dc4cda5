"""Summaries over parsed lines."""
from logscan.parser import parse


def count_levels(lines):
    counts = {}
    for record in parse(lines):
        counts[record.level] = counts.get(record.level, 0) + 1
    return counts


def summary(lines):
    counts = count_levels(lines)
    return ", ".join(f"{level}={counts[level]}" for level in sorted(counts))
