from shop import Address, Basket, Courier

HOME = Address(street="Elm", town="Hull")


def test_tour():
    order = Basket().checkout("x")
    order["billing"] = order["shipping"] = HOME
    assert Courier().collect(address=order["billing"])["tour"] == "Hull"
