"""Payment at the till."""
from gateway import Declined


def pay(gateway, account, cents):
    """The line to show to the customer."""
    try:
        return f"paid, receipt {gateway.charge(account, cents)}"
    except Declined as e:
        return f"declined: {e}"
    except ConnectionError:
        return "try again later"
