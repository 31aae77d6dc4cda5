from billing import Billing

for used in (10.0, 50.0, 120.0):
    print(used, Billing().charge(used)["cents"])
