"""Timing."""


def duration(start, stop):
    return (stop - start) * 1000
