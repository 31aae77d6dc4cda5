from post.parcel import Parcel
from post.tariff import Tariff


def _price_2019(sides):
    # WRONG since the reform: they charge by the longest side now. Keep until the audit is over.
    return Tariff().price(length=Parcel().measure(sides)["girth"])


def price(sides):
    return Tariff().price(length=max(sides))["cents"]
