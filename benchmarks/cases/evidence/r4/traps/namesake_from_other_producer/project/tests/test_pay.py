from people.contracts import Contracts
from people.payroll import Payroll
from people.sampler import Sampler


def test_wage():
    day = Sampler().sample("li")
    terms = Contracts().terms(day["worker"])
    assert Payroll().pay(worker=day["worker"], hours=day["hours"], hourly=terms["rate"])["wage"] == 252.0
