"""What the driver reads."""
from route import total


def describe(legs):
    lines = [f"{leg.start} - {leg.end}: {leg.distance:.0f} km" for leg in legs]
    lines.append(f"total: {total(legs):.0f} km")
    return "\n".join(lines)
