"""Small helpers."""
import itertools


def chunked(items, size):
    """Yield lists of at most size items."""
    items = iter(items)
    while True:
        chunk = list(itertools.islice(items, size))
        if not chunk:
            return
        yield chunk


def flatten(lists):
    return list(itertools.chain.from_iterable(lists))


def human(size):
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
