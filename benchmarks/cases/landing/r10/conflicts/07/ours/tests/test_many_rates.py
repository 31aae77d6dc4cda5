import random
from datetime import date, timedelta

from tariffs import Tariff


def test_rates_added_in_any_order():
    days = [date(2020, 1, 1) + timedelta(days=n) for n in range(200)]
    shuffled = days[:]
    random.Random(4).shuffle(shuffled)
    t = Tariff()
    for day in shuffled:
        t.add(day, day.toordinal())
    assert [t.rate_on(day) for day in days] == [day.toordinal() for day in days]
    assert t.first_day() == days[0]
