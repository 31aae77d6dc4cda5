"""Stops, zones and the reading of clock times."""

STOPS = {"Quay": 1, "Market": 1, "Hill": 2, "Airport": 4, "Lakeside": 3}
LINES = {"7": ("Quay", "Market", "Hill", "Lakeside"), "9": ("Market", "Hill", "Airport")}
DEPART = {"7": ("6:10", "7:05", "22:40", "24:15"), "9": ("5:55", "23:30", "25:02")}


def parse_minutes(text):
    hours, _, minutes = text.partition(":")
    return int(hours) * 60 + int(minutes or 0)


def spell(minutes):
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"
