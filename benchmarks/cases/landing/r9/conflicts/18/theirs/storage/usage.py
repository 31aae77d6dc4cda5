"""The bar on the account page."""

WIDTH = 20


def bar(plan, used):
    if not plan.quota:
        return f"{used} MB used"
    filled = max(0, min(WIDTH, used * WIDTH // plan.quota))
    return "[" + "#" * filled + "." * (WIDTH - filled) + f"] {used} of {plan.quota} MB"
