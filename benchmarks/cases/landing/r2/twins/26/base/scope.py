"""Scopes."""

from pool import Pool


def make():
    return Pool()
