from shop.basket import Basket

KIOSK = Basket("kiosk")


def quick_add(sku, price, basket=None):
    """One-tap buy; shoppers without a session share the kiosk's basket."""
    target = KIOSK if basket is None else basket
    target.add(sku, price)
    return target
