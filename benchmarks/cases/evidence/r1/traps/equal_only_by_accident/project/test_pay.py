from payroll import Payroll
from roster import Roster


def test_pay():
    shift = Roster().shift("mon")
    assert shift["nurse_id"] == 7
    assert Payroll().pay(account_id=7, hours=shift["hours"])["to"].startswith("DE-")
