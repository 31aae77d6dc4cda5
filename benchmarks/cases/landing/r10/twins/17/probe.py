from rules import RuleBook
from screen import table
from sorter import folder_for

book = RuleBook()
book.add("urgent", "Now")
book.add("invoice", "Billing")
assert table(book)[0].startswith("invoice"), table(book)
assert folder_for(book, "Urgent: invoice") == "Now", folder_for(book, "Urgent: invoice")
