FILTER = "V"
SITE = {"lat": -24.6, "lon": -70.4, "alt": 2635}
EXTINCTION = {"U": 0.48, "B": 0.25, "V": 0.14, "R": 0.10}
