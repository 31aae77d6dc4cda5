from basket import Basket
from discount import Discount


def checkout(basket):
    return Discount().apply(total=Basket().sum_up(basket)["sum_cents"])["off"]


print(checkout("a"), checkout("ab"), checkout("abcd"))
