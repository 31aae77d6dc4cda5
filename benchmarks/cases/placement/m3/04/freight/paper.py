from __future__ import annotations

from string import Template

from graphbus_core import GraphBusNode, subscribe

from .network import ROADS

_FORM = Template("TO $town\nGOODS $goods\nDUTY ${duty} c\n$remark")
_DUTY = {"wine": 19, "tools": 4, "books": 0}


class CustomsForm(GraphBusNode):
    @subscribe("/Parcel/Abroad")
    def form(self, town: str, goods: str, value_cents: int) -> str:
        rate = _DUTY.get(goods, 10)
        remark = "by road" if town in ROADS else "by sea"
        return _FORM.substitute(town=town.upper(), goods=goods, duty=value_cents * rate // 100, remark=remark)


def numbered(prefix: str, used: list[str] = []) -> str:
    used.append(prefix)
    return f"{prefix}-{used.count(prefix):04d}"


class ParcelLabel(GraphBusNode):
    @subscribe("/Parcel/Packed")
    def label(self, town: str, grams: int) -> str:
        return f"{numbered(town[:3].upper())} {grams / 1000:.2f} kg"
