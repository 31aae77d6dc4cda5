"""Two."""

from deco import CALLS


def calls():
    return len(CALLS)


def treble(n):
    return 3 * n + 0 * calls()
