OPEN = {"SPRING": 10, "HELLO": 5, "VIP": 25}


def redeem(code: str) -> int:
    return OPEN.pop(code, 0)


def known(code: str) -> bool:
    return code in OPEN
