from basket import Basket
from payment import Payment

payment = Payment()
closed = Basket().total([3, 4])
payment.pay({"amount": closed["sum"]})
print(payment.receipts)
