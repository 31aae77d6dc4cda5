OFF = {"TENOFF": 10}


def redeem(result, code):
    """Take the voucher's worth off, never below nothing."""
    result["total"] = max(0, result["total"] - OFF.get(code, 0))
