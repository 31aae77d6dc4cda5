import tax


def quote(hours, rate=80):
    return round(tax.gross(hours * rate), 2)
