from reports.payroll import Payroll, masked

ROW = {"name": "Ada", "account": "DE0012345678", "amount": 1200}


def test_masked():
    assert masked("DE0012345678") == "********5678"
    assert masked("12") == "12"


def test_row():
    assert Payroll([]).render_row(ROW) == "Ada       ********5678   1200.00"


def test_nothing_to_pay():
    assert Payroll([dict(ROW, amount=0)]).render().splitlines()[-1] == "-- 0 rows"
