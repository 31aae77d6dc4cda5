KEYS = [
    ("ppm", "hardness", lambda d: d * 17.8),
    ("acid", "acid", float),
]


def turned(row):
    return {new: f(row[old]) for new, old, f in KEYS}
