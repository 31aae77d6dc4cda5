# stateful
"""Keeps the first rate it was told for a currency it did not know."""
from graphbus_core import GraphBusNode, subscribe

# rates against EUR, from the treasury sheet
RATES = {
    "EUR": 1.0,
    "USD": 0.92,
    "GBP": 1.17,
    "CHF": 1.04,
}


def rate_for(code, offered):
    code = code.upper()
    if offered <= 0:
        offered = 1.0
    return RATES.setdefault(code, offered)


def to_eur(amount, code, offered):
    rate = rate_for(code, offered)
    eur = round(amount * rate, 2)
    if abs(eur) < 0.01:
        eur = 0.0
    return eur, rate


class Converter(GraphBusNode):
    """Books foreign invoices in euro."""

    def __init__(self):
        super().__init__()
        self.currency = "EUR"

    @subscribe("/invoices/foreign")
    def convert(self, amount: float, code: str, offered_rate: float) -> dict:
        eur, rate = to_eur(amount, code, offered_rate)
        return {"amount": eur, "currency": self.currency, "rate": rate}
