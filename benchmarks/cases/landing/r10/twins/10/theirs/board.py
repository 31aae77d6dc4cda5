"""What the driver reads."""
from route import total


def show(metres):
    return f"{metres} m" if metres < 1000 else f"{metres / 1000:.0f} km"


def describe(legs):
    lines = [f"{leg.start} - {leg.end}: {show(leg.metres)}" for leg in legs]
    lines.append(f"total: {show(total(legs))}")
    return "\n".join(lines)
