DEFAULTS = {
    "timeout": 30,
    "retries": 3,
}


def load(overrides=None):
    merged = dict(DEFAULTS)
    merged.update(overrides or {})
    return merged
