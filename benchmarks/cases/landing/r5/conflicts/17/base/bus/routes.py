from bus.stops import Stop


def parse(text):
    """A route as 'Mill:1 > Park:1 > Port:2'."""
    stops = []
    for part in text.split(">"):
        name, zone = part.strip().split(":")
        stops.append(Stop(name, int(zone)))
    return stops
