from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

from barcodes import check_digit, item_id
from products import Product


class Postage(GraphBusNode):
    @subscribe("/Post/Counter/Weigh")
    def on_weigh(self, code: str, grams: int) -> dict:
        cls = Product.registry.get(code)
        if cls is None:
            return {"error": "no such product", "known": sorted(Product.registry)}
        try:
            return {"cents": cls().postage(grams)}
        except ValueError as exc:
            return {"error": str(exc)}


class Scanner(GraphBusNode):
    @subscribe("/Post/Counter/Scan")
    def on_scan(self, code: str) -> dict:
        if len(code) != 13 or not code[2:11].isdigit():
            return {"ok": False, "why": "format"}
        good = check_digit(code[2:10]) == int(code[10])
        return {"ok": good, "canonical": item_id(code[:2].upper(), int(code[2:10]), code[11:].upper())}
