import argparse

from profile_ import Profile
from weather import Weather

parser = argparse.ArgumentParser()
parser.add_argument("place", nargs="?")
typed = parser.parse_args().place
print(Weather().forecast(place=typed or Profile().defaults()["city"])["sky"])
