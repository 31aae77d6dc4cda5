import functools
import inspect

LIMITS = {"speed": (0, 130), "gear": (1, 6)}


def limited(function):
    signature = inspect.signature(function)

    @functools.wraps(function)
    def inner(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            low, high = LIMITS.get(name, (None, None))
            if low is not None and not low <= value <= high:
                raise ValueError(f"{value} is out of {low}..{high}")
        return function(*args, **kwargs)

    return inner
