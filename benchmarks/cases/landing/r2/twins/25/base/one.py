"""One."""

from deco import logged


@logged
def double(n):
    return 2 * n
