from biller import Biller
from tariff import Tariff


def close(country):
    found = Tariff().look_up(country)
    rate = found["rate"]
    if rate > 1:
        rate = 1 + rate / 100
    return Biller().bill(country=country, factor=rate)


if __name__ == "__main__":
    print(close("DE"))
