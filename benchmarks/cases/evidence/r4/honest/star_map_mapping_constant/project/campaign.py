from wiring import subscribe

print(subscribe("Ann")["line"])
