from stockdb import Ledger, Scanner

r = Scanner().read()
print(Ledger().add(code=r["barcode"], n=r["n"])["rows"])
