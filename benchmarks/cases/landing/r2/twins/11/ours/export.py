"""Exports."""

from bill import summarize


def header():
    return "lines;total"
