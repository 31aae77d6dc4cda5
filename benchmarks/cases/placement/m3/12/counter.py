import rates
from graphbus_core import GraphBusNode, subscribe
from rates import REVIEWED, TERMS, Product, instalment


class LoanQuote(GraphBusNode):
    @subscribe("/Loan/Asked")
    def asked(self, kind: str, amount: float, months: int) -> dict:
        percent = rates.RATES[kind]
        return {"monthly": round(instalment(amount, months, percent), 2), "percent": percent}


class FeeNote(GraphBusNode):
    @subscribe("/Loan/Fee")
    def fee(self, kind: str, amount: float, months: int) -> dict:
        cls = Product.registry.get(kind)
        if cls is None:
            return {"refused": sorted(Product.registry)}
        low, high = TERMS[kind]
        return {"fee": round(cls(amount, months).fee(), 2), "term_ok": low <= months <= high}


class ReviewSchedule(GraphBusNode):
    """Repayment table at the rates of the last yearly review."""

    @subscribe("/Loan/Schedule")
    def schedule(self, kind: str, amount: float, months: int) -> list[str]:
        percent = REVIEWED[kind]
        pay = instalment(amount, months, percent)
        left, rows = amount, []
        for n in range(1, months + 1):
            interest = left * percent / 1200
            left -= pay - interest
            if n in (1, months // 2, months):
                rows.append(f"{n:3d} {interest:9.2f} {abs(left):12.2f}")
        return rows
