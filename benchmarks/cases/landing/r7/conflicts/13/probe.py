from donate.form import submit
from donate.ledger import Ledger

ledger = Ledger()
for text in ("-5", "0", "50000"):
    try:
        submit(ledger, "Eve", text)
    except ValueError:
        pass
    else:
        raise SystemExit(f"took {text}: balance {ledger.balance()}")
