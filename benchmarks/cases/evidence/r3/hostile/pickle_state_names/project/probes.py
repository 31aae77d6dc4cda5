from operator import attrgetter
from types import SimpleNamespace

PROBES = ["dash.kmh", "dash.sats"]


def probe(dash):
    car = SimpleNamespace(dash=dash)
    return {path: attrgetter(path)(car) for path in PROBES}
