import datetime

from bankimport import Import
from ledger import Ledger

print(Import().line("25/12/2023;-80.00;presents")["amount"])
book = Ledger()
book.post(datetime.date(2023, 12, 25), -80.0)
print(dict(book.months))
