def exponential(alpha: float):
    level = None
    while True:
        sample = yield level
        level = sample if level is None else round(level + alpha * (sample - level), 4)


def started(gen):
    next(gen)
    return gen


SMOOTHERS = {
    "barn": started(exponential(0.3)),
    "pasture": started(exponential(0.1)),
    "glasshouse": started(exponential(0.5)),
}


def hampel(window: list[float], limit: float = 3.0) -> list[float]:
    """Replace outliers of a window by its median."""
    ordered = sorted(window)
    mid = len(ordered) // 2
    median = ordered[mid] if len(ordered) % 2 else (ordered[mid - 1] + ordered[mid]) / 2
    spread = sorted(abs(x - median) for x in window)[mid] or 1e-9
    return [median if abs(x - median) > limit * 1.4826 * spread else x for x in window]
