from board.notices import Notice
from board.page import card


def test_no_markup_from_visitors():
    assert "<script>" not in card(Notice("Hi", "<script>alert(1)</script>"))
