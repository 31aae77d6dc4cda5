from money import convert, show


def price_tag(euros, currency):
    return show(convert(euros, currency), currency)
