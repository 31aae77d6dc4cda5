def close_month(ledger, accounts):
    return {name: ledger.balance(name) for name in accounts}
