from boiler import Boiler
from thermostat import Thermostat, from_name

print(Thermostat(19.0).report()["setpoint"])
print(from_name("Night").report()["setpoint"])
print(Boiler().heat(room=20.0, target=20.5))
