"""Timing."""


def duration(start, stop):
    return stop - start
