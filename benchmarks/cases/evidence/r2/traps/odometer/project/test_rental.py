from rental import Car, Rental


def test_price():
    car = Car(km=0)
    before = car.dashboard()["km"]
    car.km += 100
    assert Rental().settle(driven=car.dashboard()["km"] - before)["price"] == 55
