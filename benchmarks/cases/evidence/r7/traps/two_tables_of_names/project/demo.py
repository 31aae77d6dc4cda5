import names_books
import names_shop
from bank import Bank

print(sorted(names_shop.BANK_NAMES.keys() & names_books.BANK_NAMES.keys()))
print(Bank().pay("R-1", 5))
