import datetime as dt
import io

from ledger.bank import take_over
from ledger.book import CashBook, Entry

book = CashBook()
book.post(Entry(dt.date(2024, 3, 2), "stamps", -850))
assert book.balance() == -850
take_over(book, io.StringIO("2024-03-01;membership;50,00\n"))
assert book.balance() == 4150, book.balance()
