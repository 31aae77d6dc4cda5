import re


def clamp(x, lo, hi):
    return max(lo, min(x, hi))


def slugify(title):
    return re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')
