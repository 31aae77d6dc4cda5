from datetime import date

from rota import rota


def test_everyone_in_turn():
    plan = rota(["ann", "bob"], date(2024, 2, 28), date(2024, 3, 1))
    assert list(plan.values()) == ["ann", "bob", "ann"]
