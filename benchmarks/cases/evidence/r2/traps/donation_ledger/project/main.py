from books import Bank, Ledger

for n in (1, 2):
    line = Bank().line(n)
    if line["amount"] < 0:
        print(Ledger().spend(debit=-line["amount"])["row"])
