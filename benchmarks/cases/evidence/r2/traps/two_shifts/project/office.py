from shop.clock import Clock
from shop.payroll import Payroll

d = Clock().day("w1")
print(Payroll().count(start=d["planned"], end=d["end"])["hours"])
