import prices

assert prices.price_of("tea") == 450
prices.raise_all(10)
assert prices.price_of("tea") == 495, prices.price_of("tea")
