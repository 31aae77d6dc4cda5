from ledger import Ledger
from refunds import refund
from shopbooks import sell

books = Ledger()
sell(books, "ann", 500, 1)
refund(books, "ann", 500, 1)
assert books.entries[1].memo == "refund of sale 1", books.entries[1]
assert books.authors() == ["system", "till"], books.authors()
