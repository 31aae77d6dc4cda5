from shop import Bank, Cart
from vouchers import redeem

result = Cart().checkout([20, 30])
redeem(result, "TENOFF")
print(Bank().debit(sum_due=result["total"])["text"])
