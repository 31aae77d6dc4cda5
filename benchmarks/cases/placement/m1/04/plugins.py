HANDLERS = {}


def handles(kind):
    def deco(fn):
        HANDLERS[kind] = fn
        return fn
    return deco


@handles("card")
def _card(cents: int) -> int:
    return cents * 14 // 1000 + 25


@handles("sepa")
def _sepa(cents: int) -> int:
    return 35


@handles("paypal")
def _paypal(cents: int) -> int:
    return cents * 25 // 1000 + 35


def numbered(prefix: str, _seen=[]) -> str:
    _seen.append(prefix)
    return f"{prefix}-{len(_seen):04d}"
