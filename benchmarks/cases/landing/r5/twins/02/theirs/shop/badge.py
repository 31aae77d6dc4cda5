def badge(basket):
    """Text beside the trolley icon."""
    if basket is None:
        return ""
    return f"{basket.owner}: {basket.total()}"
