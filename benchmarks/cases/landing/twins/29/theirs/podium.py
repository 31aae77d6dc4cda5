from scores import compact


def top3(items):
    kept = list(items)
    compact(kept)
    return kept[-3:]
