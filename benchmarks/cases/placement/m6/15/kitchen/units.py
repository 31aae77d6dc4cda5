from fractions import Fraction

GRAMS = {"g": Fraction(1), "kg": Fraction(1000), "spoon": Fraction(15), "cup": Fraction(240)}


class Amount:
    __slots__ = ("grams",)

    def __init__(self, grams: Fraction) -> None:
        self.grams = grams

    @classmethod
    def parse(cls, text: str) -> "Amount":
        number, unit = text.split()
        return cls(Fraction(number) * GRAMS[unit])

    def __mul__(self, factor: int) -> "Amount":
        return Amount(self.grams * factor)

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.grams + other.grams)

    def __str__(self) -> str:
        if self.grams >= 1000:
            return f"{float(self.grams / 1000):g} kg"
        return f"{float(self.grams):g} g"
