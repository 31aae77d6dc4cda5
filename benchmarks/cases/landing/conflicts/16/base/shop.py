from fx import convert


def price_tag(amount):
    return f"{convert(amount, currency='usd'):.2f}"
