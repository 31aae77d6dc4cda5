"""Scopes."""

from pool import Pool


def make():
    return Pool()


def use(work):
    pool = make()
    try:
        return work(pool)
    finally:
        pool.open = False
