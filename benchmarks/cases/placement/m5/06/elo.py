from functools import cache, partial


@cache
def expected(diff):
    return 1 / (1 + 10 ** (-diff / 400))


def rate(own, other, score, k=20):
    return round(own + k * (score - expected(own - other)))


rate_junior = partial(rate, k=40)
rate_master = partial(rate, k=10)


def pick(rating, age):
    if age < 18:
        return rate_junior
    return rate_master if rating >= 2400 else rate
