"""A service."""

from pool import Pool


def stop(pool: Pool):
    pool.shutdown()
    return pool.open
