import functools
import math


@functools.lru_cache(maxsize=None)
def airmass(altitude):
    """Kasten and Young."""
    a = max(altitude, 1.0)
    return 1 / (math.sin(math.radians(a)) + 0.50572 * (a + 6.07995) ** -1.6364)


def memo(f):
    kept = {}

    @functools.wraps(f)
    def wrapped(*args):
        if args not in kept:
            kept[args] = f(*args)
        return kept[args]

    return wrapped


@memo
def sexagesimal(text):
    sign = -1 if text.lstrip().startswith("-") else 1
    parts = [abs(float(p)) for p in text.replace(":", " ").split()]
    return sign * sum(p / 60**i for i, p in enumerate(parts))
