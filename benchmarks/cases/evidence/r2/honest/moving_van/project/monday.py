from moving import Driver, Mover

packed = Mover().pack("2nd floor")
goal = packed["goal"]
stop = {"street": goal["street"], "postcode": goal["zip"]}
print(Driver().route(boxes=packed["boxes"], goal=stop)["sheet"])
