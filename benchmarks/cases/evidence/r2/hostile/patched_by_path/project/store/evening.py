from store.accountant import Accountant
from store.till import Till


def close_shop(day):
    closed = Till().close(day)
    return Accountant().file(revenue=closed["takings"])["receipt"]
