"""What the driver reads."""
from route import total


def show(distance):
    return f"{distance} m" if distance < 1000 else f"{distance / 1000:.0f} km"


def describe(legs):
    lines = [f"{leg.start} - {leg.end}: {show(leg.distance)}" for leg in legs]
    lines.append(f"total: {show(total(legs))}")
    return "\n".join(lines)
