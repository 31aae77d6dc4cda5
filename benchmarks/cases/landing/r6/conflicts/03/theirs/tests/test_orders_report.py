from orders_report import orders_report


def test_report_has_header():
    assert orders_report([{"id": 1, "total": 5, "x": 0}]) == "id,total\n1,5\n"
