import sys

from contract import Contract
from offer import Offer


def main(kind="person"):
    offer = Offer().price(3)
    amount = offer["net"] if kind == "firm" else offer["gross"]
    print(Contract().sign(amount=amount)["clause"])


if __name__ == "__main__":
    main(*sys.argv[1:])
