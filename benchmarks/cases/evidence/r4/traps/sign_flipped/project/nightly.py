from ledger import Ledger
from refunds import Refunds

found = Refunds().collect("mon")
print(Ledger().post(found["day"], -found["refunded"]))
