from sensors import AirStation, SoilProbe
from warnings_ import Frost

air, soil, frost = AirStation(), SoilProbe(), Frost()


def night(hour):
    at_two_metres = air.sample(hour=hour)
    at_ground = soil.measure(hour=hour)
    verdict = frost.warn(temperature=at_ground["value"])
    return f"{hour:02}h air {at_two_metres['temp']:+.1f} {verdict['text']}"


print("\n".join(night(h) for h in (22, 2, 5)))
