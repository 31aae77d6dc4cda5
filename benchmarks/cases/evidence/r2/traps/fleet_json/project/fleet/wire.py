import json


def _metric(o):
    if "distance" in o:
        o["distance"] *= 1.609344
    return o


def over_the_air(row):
    return json.loads(json.dumps(row), object_hook=_metric)
