from cart import Basket, Discount


def off(*prices):
    basket = Basket().sum_up(list(prices))
    return Discount().apply(amount=basket["total"])["off"]


print(off(10), off(60), off(100, 100))
