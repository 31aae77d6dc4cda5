from studio import Lamp, Photographer, preset

for name in ("portrait", "group"):
    print(name, Lamp().flash(**preset(name))["joules"])
print("metered", Lamp().flash(power=Photographer().meter("cat")["stops"])["joules"])
