"""The bar on the account page."""
from storage.plans import UNLIMITED

WIDTH = 20


def bar(plan, used):
    if plan.quota == UNLIMITED:
        return f"{used} MB used"
    filled = max(0, min(WIDTH, used * WIDTH // max(plan.quota, 1)))
    return "[" + "#" * filled + "." * (WIDTH - filled) + f"] {used} of {plan.quota} MB"
