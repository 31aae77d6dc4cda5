from pump import Profile, Pump

p = Profile().load("7b")
print(Pump().start(patient=p["patient"], rate=p.get("basal", 0.0))["display"])
