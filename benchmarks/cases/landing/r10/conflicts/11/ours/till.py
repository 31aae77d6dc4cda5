"""Payment at the till."""
from gateway import Declined, GatewayDown


def pay(gateway, account, cents):
    """The line to show to the customer."""
    try:
        return f"paid, receipt {gateway.charge(account, cents)}"
    except Declined as e:
        return f"declined: {e}"
    except GatewayDown as e:
        return f"try again later ({e})"
