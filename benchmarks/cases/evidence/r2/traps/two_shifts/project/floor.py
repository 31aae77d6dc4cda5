from shop.clock import Clock
from shop.payroll import Payroll

d = Clock().day("w2")
print(Payroll().count(start=d["stamped"], end=d["end"])["hours"])
