def compact(items):
    """Sort, drop zeros, in place."""
    items[:] = sorted(i for i in items if i)
