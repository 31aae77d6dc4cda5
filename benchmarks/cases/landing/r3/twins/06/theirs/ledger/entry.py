"""One booking typed at the prompt."""
from ledger.amounts import parse_amount


def ask(read, write):
    """Ask until an amount was typed."""
    while True:
        amount = parse_amount(read("amount: "), strict=False)
        if amount is not None:
            return amount
        write("not an amount")
