class Cart:
    def total(self, sku: str) -> dict[str, int]:
        return {"amount": len(sku)}


class Ledger:
    def post(self, amount: int, note: str = ""):
        return {"posted": amount, "note": note}


def main():
    total = Cart().total("apple")
    Ledger().post(amount=total["amount"])
