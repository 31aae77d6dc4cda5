import xml.etree.ElementTree as ET
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

import forms


class CustomsDeclaration(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Parcel/Customs/Declare")
    def declare(self, sender: str, goods: list) -> dict[str, str]:
        form = forms.customs()
        form.find("sender").text = sender
        total = Decimal()
        for what, count, price in goods:
            row = ET.SubElement(form.find("items"), "item", n=str(count))
            row.text = what
            total += count * Decimal(price)
        form.find("total").text = f"{total:.2f}"
        ET.indent(form)
        return {"xml": forms.text(form)}
