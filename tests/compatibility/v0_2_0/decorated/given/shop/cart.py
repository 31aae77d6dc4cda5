from typing import TypedDict

from graphbus_core import contract
@contract
class Cart:
    def total(self, sku: str) -> dict[str, int]:
        return {"amount": len(sku)}


class PostRecord(TypedDict):
    posted: int
    note: str


@contract
class Ledger:
    def post(self, amount: int, note: str = "") -> PostRecord:
        return {"posted": amount, "note": note}


def main():
    total = Cart().total("apple")
    Ledger().post(amount=total["amount"])
