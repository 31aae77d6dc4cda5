"""Bills."""


def summarize(lines):
    total = sum(lines)
    return {"lines": len(lines), "total": total}
