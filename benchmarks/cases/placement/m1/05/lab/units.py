FACTORS: dict[str, float] = {"mg": 1e-6, "g": 1e-3, "kg": 1.0, "ug": 1e-9}


def to_si(value: float, unit: str) -> float:
    return value * FACTORS[unit]
