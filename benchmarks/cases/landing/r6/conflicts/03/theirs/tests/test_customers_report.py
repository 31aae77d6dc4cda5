from customers_report import customers_report


def test_sorted_by_name():
    text = customers_report([{"name": "Zoe", "city": "Ulm"}, {"name": "Al"}])
    assert text.splitlines()[-2:] == ["Al,", "Zoe,Ulm"]
