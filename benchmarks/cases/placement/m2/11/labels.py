import xml.etree.ElementTree as ET

from graphbus_core import GraphBusNode, subscribe

import forms


class LabelPrinter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Parcel/Label/Print")
    def print_label(self, name: str, city: str, service: str, fragile: bool) -> dict[str, str]:
        form = forms.label()
        form.find("to").text = f"{name}, {city}"
        form.find("service").text = service
        if fragile:
            ET.SubElement(form.find("hints"), "hint", icon="glass")
        if service == "cold":
            ET.SubElement(form.find("hints"), "hint", icon="snow")
        return {"xml": forms.text(form)}
