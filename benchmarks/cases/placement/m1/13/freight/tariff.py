from enum import Enum
from typing import Final


class Zone(Enum):
    LOCAL = "local"
    DOMESTIC = "domestic"
    EXPORT = "export"


class TariffService:
    _BASE: Final = {Zone.LOCAL: 400, Zone.DOMESTIC: 900, Zone.EXPORT: 2600}

    def __init__(self, surcharge_percent: int = 0) -> None:
        self._surcharge_percent = surcharge_percent

    def quote(self, zone: Zone, kilos: int) -> int:
        cents = self._BASE[zone] + 35 * kilos
        return cents + cents * self._surcharge_percent // 100
