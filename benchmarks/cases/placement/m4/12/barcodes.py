WEIGHTS = (8, 6, 4, 2, 3, 5, 9, 7)


def check_digit(serial: str) -> int:
    rest = 11 - sum(int(d) * w for d, w in zip(serial, WEIGHTS)) % 11
    return {10: 0, 11: 5}.get(rest, rest)


def item_id(service: str, serial: int, country: str = "DE") -> str:
    digits = f"{serial:08d}"
    return f"{service}{digits}{check_digit(digits)}{country}"
