from profile_ import Profile
from weather import Weather

print(Weather().forecast(Profile().defaults()["office"])["sky"])
