from broker import Broker
from ledger import Ledger


def main():
    balance = Ledger().balance()
    print(Broker().buy(cash_limit=balance["headroom"]))


if __name__ == "__main__":
    main()
