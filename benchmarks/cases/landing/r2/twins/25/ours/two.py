"""Two."""

from deco import CALLS


def calls():
    return len(CALLS)
