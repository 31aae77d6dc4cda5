"""Address labels for parcels."""
from places import lookup


def label(name, street, postal_code):
    place = lookup(postal_code)
    return "\n".join([
        name.upper(),
        street,
        f"{place['city']}, {place['state_name']}",
        postal_code,
    ])
