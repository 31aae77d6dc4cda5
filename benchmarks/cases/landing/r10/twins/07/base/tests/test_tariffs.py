from datetime import date

import pytest

from billing import cost
from tariffs import Tariff


def tariff():
    t = Tariff()
    t.add(date(2024, 1, 1), 0.4)
    t.add(date(2023, 1, 1), 0.3)
    return t


def test_rate_on():
    assert tariff().rate_on(date(2023, 5, 5)) == 0.3
    assert tariff().rate_on(date(2024, 1, 1)) == 0.4


def test_too_early():
    with pytest.raises(LookupError):
        tariff().rate_on(date(2020, 1, 1))


def test_cost():
    assert cost(tariff(), [(date(2023, 5, 5), 10), (date(2024, 5, 5), 10)]) == 7.0
