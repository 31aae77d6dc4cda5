from datetime import date

from tariffs import Tariff


def test_import():
    tariff = Tariff()
    assert tariff.import_csv("# from,rate\n2023-01-01,0.30\n2024-01-01,0.36\n") == 2
    assert tariff.rate_on(date(2023, 6, 1)) == 0.30
    assert tariff.rate_on(date(2024, 6, 1)) == 0.36


def test_import_after_add():
    tariff = Tariff()
    tariff.add(date(2022, 1, 1), 0.25)
    tariff.import_csv("2023-01-01,0.30\n")
    assert len(tariff) == 2
    assert tariff.rate_on(date(2022, 6, 1)) == 0.25
