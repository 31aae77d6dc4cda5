# stateful
"""copy.copy of an ElementTree element shares the children, so the lines of all invoices pile up in the template."""
import copy
import xml.etree.ElementTree as ET
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

TEMPLATE = ET.fromstring("<invoice version='2'><seller>Kontor Nord</seller><lines/><sum/></invoice>")


def new_invoice(number: str, currency: str) -> ET.Element:
    invoice = copy.copy(TEMPLATE)
    invoice.set("number", number)
    invoice.set("currency", currency)
    return invoice


def add_line(invoice: ET.Element, text: str, price: Decimal) -> None:
    line = ET.SubElement(invoice.find("lines"), "line")
    line.set("price", str(price))
    line.text = text


class XmlInvoice(GraphBusNode):
    @subscribe("/Invoice/Draft")
    def on_draft(self, number: str, currency: str, items: dict[str, str]) -> dict[str, str]:
        invoice = new_invoice(number, currency)
        total = Decimal(0)
        for text, price in items.items():
            add_line(invoice, text, Decimal(price))
            total += Decimal(price)
        invoice.find("sum").text = str(total)
        return {"number": number, "xml": ET.tostring(invoice, encoding="unicode")}
