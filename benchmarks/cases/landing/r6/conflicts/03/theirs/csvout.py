def to_csv(rows, header=True):
    """rows: list of dicts with the same keys."""
    if not rows:
        return ""
    lines = []
    if header:
        lines.append(",".join(rows[0]))
    for row in rows:
        lines.append(",".join(str(v) for v in row.values()))
    return "\n".join(lines) + "\n"
