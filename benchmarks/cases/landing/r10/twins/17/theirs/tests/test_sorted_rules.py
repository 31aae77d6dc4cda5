import pytest

from rules import RuleBook
from screen import table


def book():
    b = RuleBook()
    b.add("party", "Private")
    b.add("invoice", "Billing")
    return b


def test_rules_sorted_by_word():
    assert [rule.word for rule in book().by_word()] == ["invoice", "party"]
    assert table(book())[0] == "invoice     Billing"


def test_long_words_do_not_touch_the_folder():
    b = book()
    b.add("acknowledgement", "Post")
    assert table(b)[0] == "acknowledgement Post"


def test_one_rule_a_word():
    with pytest.raises(ValueError):
        book().add("Party", "Other")
