from money.order import Order
from money.posting import Posting
from money.types import AccountId

print(Order().parse("shop<-ada"))
print(Posting().debit(account=AccountId("bank"))["line"])
