"""Commands."""

from writers import WRITERS


def formats():
    return sorted(WRITERS)
