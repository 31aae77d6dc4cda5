from itertools import cycle, product

import settings


def check_digit(digits: str) -> int:
    weights = cycle(settings.CHECK_WEIGHTS)
    total = sum(int(d) * w for d, w in zip(digits, weights))
    return -total % 10


def bins():
    for aisle, shelf in product(settings.AISLES, range(1, settings.SHELVES + 1)):
        yield f"{settings.SITE}-{aisle}{shelf:02d}"


_next_bin = cycle(list(bins()))


def free_bin(size: str) -> str:
    if size == "bulky":
        return f"{settings.SITE}-FLOOR"
    return next(_next_bin)


def new_batch() -> str:
    settings.last_batch += 1
    number = f"{settings.last_batch:05d}"
    return f"{number}{check_digit(number)}"
