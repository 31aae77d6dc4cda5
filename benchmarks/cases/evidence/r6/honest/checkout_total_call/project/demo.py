from shopfront import Front

front = Front()
front.basket.add("desk", 120.0).add("mat", 9.9)
print(front.pay())
front.basket.add("sofa", 900.0)
print(front.pay())
