from rules import RuleBook
from sorter import folder_for, sort_mail


def book():
    b = RuleBook()
    b.add("invoice", "Billing")
    b.add("party", "Private")
    return b


def test_first_rule_wins():
    assert folder_for(book(), "Invoice for the party") == "Billing"


def test_no_rule():
    assert folder_for(book(), "Hello") == "Inbox"


def test_sort_mail():
    assert sort_mail(book(), ["Party!", "Hello", "Your invoice"]) == {
        "Private": ["Party!"], "Inbox": ["Hello"], "Billing": ["Your invoice"]}
