"""Ranges."""


def parse_range(text):
    start, stop = text.split("-")
    return int(start), int(stop) + 1
