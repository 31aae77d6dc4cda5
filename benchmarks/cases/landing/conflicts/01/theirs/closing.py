def close_month(ledger, accounts):
    for name in accounts:
        left = ledger.balance(name)
        if left:
            ledger.post(name, -left)
    return ledger
