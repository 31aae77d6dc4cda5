"""Ranges."""


def parse_range(text):
    start, stop = text.split("-")
    return {"start": int(start), "stop": int(stop)}
