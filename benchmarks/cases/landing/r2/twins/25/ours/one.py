"""One."""

from deco import logged


@logged("info")
def double(n):
    return 2 * n
