def compact(items):
    """Sort, drop zeros, return the same list."""
    items[:] = sorted(i for i in items if i)
    return items
