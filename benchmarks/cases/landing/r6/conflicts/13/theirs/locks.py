from contextlib import contextmanager


@contextmanager
def held(lock, patience=1.0):
    """Like `with lock`, but gives up instead of waiting for ever."""
    if not lock.acquire(timeout=patience):
        raise RuntimeError("lock not free")
    try:
        yield
    finally:
        lock.release()
