from dataclasses import asdict

from yard.crane import Crane, Weather
from yard.mast import Mast

weather = Weather(speed=Mast().sample()["wind"])
print(Crane().permit(**asdict(weather)))
