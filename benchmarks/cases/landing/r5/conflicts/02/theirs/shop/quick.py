from shop.basket import Basket

KIOSK = Basket("kiosk")


def quick_add(sku, price, basket=None):
    """One-tap buy; shoppers without a session share the kiosk's basket."""
    target = basket or KIOSK
    target.add(sku, price)
    return target
