# stateful
"""Reports the fat of a milk delivery; a farm's wish for other units goes into the environment and stays there."""
import os
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

PREFIX = "DAIRY_"
DEFAULTS = {"UNIT": "kg", "DECIMALS": "1", "BASE_FAT": "4.0"}


def setting(name: str) -> str:
    return os.environ.get(PREFIX + name, DEFAULTS[name])


def apply_options(options: str) -> None:
    """'unit=lb, decimals=2' as it stands on the delivery note."""
    for pair in filter(None, map(str.strip, options.split(","))):
        name, _, value = pair.partition("=")
        if name.strip().upper() in DEFAULTS:
            os.environ[PREFIX + name.strip().upper()] = value.strip()


def amount(kilos: Decimal) -> str:
    factor = {"kg": Decimal(1), "lb": Decimal("2.20462"), "l": Decimal(1) / Decimal("1.03")}
    unit = setting("UNIT")
    return f"{kilos * factor.get(unit, Decimal(1)):.{int(setting('DECIMALS'))}f} {unit}"


def milk_price(fat: Decimal, cells: int) -> Decimal:
    """Cents a kilo: 3 for every tenth above the basis, less when there are too many cells."""
    price = Decimal(41) + (fat - Decimal(setting("BASE_FAT"))) * 30
    if cells > 400_000:
        price -= 5
    elif cells < 100_000:
        price += 1
    return price


class Delivery(GraphBusNode):
    @subscribe("/Dairy/Delivery")
    def on_delivery(self, farm: str, kilos: str, fat: str, cells: int, options: str) -> dict[str, str]:
        apply_options(options)
        price = milk_price(Decimal(fat), cells)
        weight = Decimal(kilos)
        return {
            "farm": farm,
            "milk": amount(weight),
            "fat": amount(weight * Decimal(fat) / 100),
            "pay": f"{weight * price / 100:.2f}",
        }
