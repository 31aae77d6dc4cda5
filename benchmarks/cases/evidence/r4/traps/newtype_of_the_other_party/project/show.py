from access import Access
from ids import UserId
from orders import Orders

print(Orders().place("s")["owner"], Access().grant(sku="s", user=UserId(1))["text"])
