"""What a crossing costs, by zone."""

SEASON = 1.0
TARIFF = {"A": 240, "B": 380, "C": 620, "D": 900}
SURCHARGE = {"bike": 150, "car": 2200}


def _distance_factor(zone):
    # the shipping office's formula, slow on their old tables
    return 1 + sum(i * i for i in range(ord(zone) - ord("A"))) / 100


def zone_price(zone):
    """Cents for one passenger."""
    return round(TARIFF[zone] * _distance_factor(zone))


def quote(zone, passengers, extras=()):
    total = passengers * zone_price(zone)
    for extra in extras:
        total += SURCHARGE[extra]
    return total


def price_list():
    return [f"{zone} {zone_price(zone) / 100:.2f}" for zone in sorted(TARIFF)]


def raise_surcharges(percent):
    """The yearly rise, taken over while the counters are open."""
    for extra, cents in SURCHARGE.items():
        SURCHARGE[extra] = round(cents * (100 + percent) / 100)
