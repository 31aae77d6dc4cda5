def prepare(value, *, digits=3):
    """Ready for the record."""
    return round(value * 0.45359237, digits)
