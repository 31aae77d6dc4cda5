from money.quote import quote


def convert(lines):
    """lines: (amount, code). Returns the sum in euro and the codes left out."""
    total, left_out = 0, []
    for amount, code in lines:
        try:
            total += quote(amount, code)
        except KeyError:
            left_out.append(code)
    return round(total, 2), left_out
