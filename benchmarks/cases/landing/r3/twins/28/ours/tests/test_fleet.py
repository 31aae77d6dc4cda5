from datetime import date

from rental.fleet import line, monthly_cost


def test_whole_month():
    assert monthly_cost({"van": 2}, date(2024, 4, 17)) == 750
    assert line({"car": 1}, date(2024, 2, 1)) == "2024-02: 232.00"


def test_bought_late():
    assert monthly_cost({"car": 1}, date(2024, 4, 1), bought=date(2024, 4, 30)) == 8
    assert monthly_cost({"car": 1}, date(2024, 4, 1), bought=date(2024, 5, 2)) == 0
