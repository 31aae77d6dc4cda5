RISE = 1.25


def stage(gauge, before):
    """Compare with an earlier level() of the same gauge."""
    level = gauge.level()
    if level >= before * RISE:
        return "rising"
    if level * RISE <= before:
        return "falling"
    return "steady"
