from sales import SalesReport


def test_sales():
    report = SalesReport([("tea", 3.5), ("milk", 1)])
    assert report.render().splitlines()[2] == "tea             3.50"
    assert report.footer() == "Total           4.50"
