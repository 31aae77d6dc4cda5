"""Two."""

from deco import CALLS, logged


def calls():
    return len(CALLS)


@logged
def treble(n):
    return 3 * n
