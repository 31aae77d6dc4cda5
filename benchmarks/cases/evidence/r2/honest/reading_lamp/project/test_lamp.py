from lamp import Reader, Slip


def test_without_a_note():
    loan = Reader().borrow("Ulysses")
    assert loan["note"] is None
    assert Slip().print(book=loan["book"], note=loan["note"])["slip"] == "Ulysses"


def test_with_a_note():
    loan = Reader().borrow("Emma")
    assert Slip().print(book=loan["book"], note=loan["note"])["slip"] == "Emma (torn page)"
