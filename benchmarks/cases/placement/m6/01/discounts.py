"""Coupons and quantity discounts."""

COUPONS = {"WELCOME10": 10, "SPRING5": 5, "STAFF30": 30}
STEPS = [(10000, 8), (5000, 4), (2500, 2)]

_redeemed: dict[str, set[str]] = {}


def rate_of(code: str) -> int:
    return COUPONS.get(code.upper(), 0)


def step_rate(total: int) -> int:
    for limit, percent in STEPS:
        if total >= limit:
            return percent
    return 0


def redeem(code: str, customer: str) -> int:
    """The percent the customer gets off; a coupon works once per customer."""
    code = code.upper()
    users = _redeemed.setdefault(code, set())
    if customer in users:
        return 0
    users.add(customer)
    return COUPONS.get(code, 0)


def apply(total: int, percent: int) -> int:
    return total - total * percent // 100
