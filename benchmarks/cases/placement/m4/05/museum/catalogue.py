import copy
import json

OBJECTS = json.loads("""
{
  "V-101": {"title": "Amphora", "year": -480, "room": 3, "material": "clay", "value": 82000},
  "V-117": {"title": "Krater", "year": -510, "room": 3, "material": "clay", "value": 64000},
  "P-004": {"title": "Girl with Lute", "year": 1662, "room": 7, "material": "oil", "value": 1250000},
  "P-019": {"title": "Winter Canal", "year": 1640, "room": 8, "material": "oil", "value": 430000},
  "T-050": {"title": "Hunting Tapestry", "year": 1520, "room": 1, "material": "wool", "value": 300000}
}
""")

LOAN_FORM = {
    "lender": "City Museum",
    "terms": {"insurance": "nail to nail", "conditions": ["no flash", "two couriers"]},
    "signed": False,
}

COURIER_FORM = {
    "terms": {"hand luggage": False, "conditions": ["never leave the crate"]},
    "contacts": {"registrar": ["ext. 12", "ext. 40"]},
}

CLIMATE = {"clay": [], "oil": ["50% RH"], "wool": ["50 lux", "no touching"]}


def get(inv):
    return OBJECTS[inv]


def loan_form():
    return copy.copy(LOAN_FORM)


def blank_form():
    return copy.deepcopy(COURIER_FORM)


def climate_rules(material):
    return list(CLIMATE[material])
