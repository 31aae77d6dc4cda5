"""A service."""

from pool import Pool


def stop(pool: Pool):
    pool.close()
    return pool.open
