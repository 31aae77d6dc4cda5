from estimator import Estimator


def test_price(measured):
    assert Estimator().estimate(lot=measured["lot"], floor_area=measured["area"])["price"] == 360000
