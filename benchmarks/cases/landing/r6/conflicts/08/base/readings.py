def read(lines):
    """Lines like `12:30 21.5`; blank lines and # comments are skipped."""
    rows = []
    for line in lines:
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        when, value = line.split()
        rows.append((when, float(value)))
    return rows
