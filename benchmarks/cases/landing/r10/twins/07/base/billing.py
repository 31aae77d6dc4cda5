"""Cost of meter readings."""


def cost(tariff, readings):
    """Sum of (day, kilowatt hours) readings, each at the rate of its day."""
    return round(sum(kwh * tariff.rate_on(day) for day, kwh in readings), 2)
