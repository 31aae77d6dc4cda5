from datetime import date
from orders import Order, Orders, statement


def shop():
    orders = Orders()
    orders.place(Order(1, "ann", date(2024, 1, 2)))
    orders.place(Order(2, "ann", date(2024, 3, 4)))
    orders.place(Order(3, "bob", date(2024, 2, 1)))
    return orders


def test_statement():
    assert statement(shop(), "ann") == ["#2 04.03.2024", "#1 02.01.2024"]


def test_count():
    assert shop().count("ann") == 2
