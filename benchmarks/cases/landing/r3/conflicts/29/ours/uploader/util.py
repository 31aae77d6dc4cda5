"""Small helpers."""
import itertools


def flatten(lists):
    return list(itertools.chain.from_iterable(lists))


def human(size):
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if size < 1000 or unit == "TB":
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
