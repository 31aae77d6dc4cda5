from accounting import Accounting
from donation import Donation


def desk(who):
    return Accounting().book(amount=Donation().pledge(who)["eur"])["booked"]


print(desk("ann"), desk("troll"))
