"""Shop: an order is read, priced and invoiced. Contracts by `TypedDict`; one arbiter at the table."""

from benchmarks.intents_cases.case import Intent, Project

SHOP = Project(
    "shop",
    {
        "shop/__init__.py": "",
        "shop/lines.py": '''"""What an order is made of."""

from typing import TypedDict


class Line(TypedDict):
    """So many of one article."""

    sku: str
    qty: int
    cents: int
''',
        "shop/order.py": '''"""From what was typed to what is owed."""

from graphbus_core import GraphBusNode, depends_on, schema_method
from shop.lines import Line


class Cart(GraphBusNode):
    """Reads entries as they were typed: `SKU QTY CENTS`."""

    SYSTEM_PROMPT = "I read what customers typed, strictly."

    @schema_method(input_schema={"entries": list[str]}, output_schema={"lines": list[Line]})
    def collect(self, entries):
        lines = []
        for entry in entries:
            sku, qty, cents = entry.split()
            lines.append({"sku": sku, "qty": int(qty), "cents": int(cents)})
        return {"lines": lines}


class Pricing(GraphBusNode):
    """Adds up."""

    SYSTEM_PROMPT = "I add up in whole cents. Nothing is ever rounded."

    @depends_on("Cart.collect")
    @schema_method(input_schema={"lines": list[Line]}, output_schema={"lines": list[Line], "total_cents": int})
    def price(self, lines):
        total = sum(line["qty"] * line["cents"] for line in lines)
        return {"lines": lines, "total_cents": total}
''',
        "shop/invoice.py": '''"""What the customer reads."""

from graphbus_core import GraphBusNode, depends_on, schema_method
from shop.lines import Line


def amount(cents: int) -> str:
    """Cents as people write them."""
    return f"{cents // 100}.{cents % 100:02}"


class Invoice(GraphBusNode):
    """Prints an invoice."""

    SYSTEM_PROMPT = "I print invoices. Every figure on them comes from somebody else."

    @depends_on("Pricing.price")
    @schema_method(input_schema={"lines": list[Line], "total_cents": int}, output_schema={"text": str})
    def write(self, lines, total_cents):
        rows = [f"{line['qty']} x {line['sku']}: {amount(line['qty'] * line['cents'])}" for line in lines]
        rows.append(f"Total: {amount(total_cents)}")
        return {"text": "\\n".join(rows)}


class Owner(GraphBusNode):
    """Settles what the others cannot."""

    SYSTEM_PROMPT = "I own the shop. What the user asked for comes first, then the smallest change."
    IS_ARBITER = True
''',
    },
    """
from shop.order import Cart, Pricing
from shop.invoice import Invoice
def text(*entries):
    return Invoice().write(**Pricing().price(**Cart().collect(entries=list(entries))))["text"]
assert text("A 2 150", "B 1 5") == "2 x A: 3.00\\n1 x B: 0.05\\nTotal: 3.05", text("A 2 150", "B 1 5")
""",
)
TEXT = """
from shop.order import Cart, Pricing
from shop.invoice import Invoice
def text(*entries):
    return Invoice().write(**Pricing().price(**Cart().collect(entries=list(entries))))["text"]
"""

INTENTS = (
    Intent(
        "shop-discount",
        SHOP,
        "Orders of 100.00 or more get 5 % off the total, in whole cents, rounded down in the shop's favour. The "
        "invoice then has the line 'Discount: -X.XX' right before the total. Smaller orders look as they do today.",
        TEXT + "got = text('A 1 10001').splitlines()\n"
        "assert got == ['1 x A: 100.01', 'Discount: -5.00', 'Total: 95.01'], got\n"
        "assert text('A 1 10000').splitlines()[-2:] == ['Discount: -5.00', 'Total: 95.00']\n"
        "assert text('A 1 9999') == '1 x A: 99.99\\nTotal: 99.99'",
    ),
    Intent(
        "shop-rename",
        SHOP,
        "Call the field total_cents amount_due_cents, in every contract and in the code.",
        TEXT + "from shop.order import Pricing\n"
        "assert set(Pricing().price(lines=[])) == {'lines', 'amount_due_cents'}\n"
        "assert Invoice().write(lines=[], amount_due_cents=100)['text'] == 'Total: 1.00'",
    ),
    Intent(
        "shop-empty",
        SHOP,
        "An order without entries must raise ValueError('empty order') when it is read. Nothing else changes.",
        TEXT + "try:\n    Cart().collect(entries=[])\nexcept ValueError as e:\n    assert str(e) == 'empty order'\n"
        "else:\n    raise AssertionError('no error')",
    ),
    Intent(
        "shop-thousands",
        SHOP,
        "Amounts on the invoice get a comma between thousands, as in 1,234.50.",
        TEXT + "assert text('A 2 123450') == '2 x A: 2,469.00\\nTotal: ' + text('A 2 123450').split()[-1]\n"
        "assert text('A 1 99999') == '1 x A: 999.99\\nTotal: 999.99'\n"
        "from shop.invoice import Invoice\nassert Invoice().write(lines=[], total_cents=123456789)['text'] == "
        "'Total: 1,234,567.89'",
    ),
)
