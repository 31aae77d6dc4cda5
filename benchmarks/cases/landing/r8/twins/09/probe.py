from bank.ledger import Ledger

ledger = Ledger()
ledger.book(500, "a")
ledger.cancel(ledger.book(-200, "b"))
assert ledger.balance() == 500, ledger.balance()
ledger.book(-500, "c")
assert ledger.balance() == 0
