from string import Template

from graphbus_core import GraphBusNode, subscribe

from recipes import ALLERGENS, BASE

LABEL = Template("$name - contains $what")


class AllergenLabels(GraphBusNode):
    @subscribe("/Bakery/Label")
    def on_label(self, bread: str) -> str:
        found = sorted({ALLERGENS[e] for e in BASE[bread]["extras"] if e in ALLERGENS})
        return LABEL.substitute(name=bread.upper(), what=", ".join(found) or "gluten only")


class Hydration(GraphBusNode):
    @subscribe("/Bakery/Hydration")
    def on_ask(self, bread: str) -> str:
        b = BASE[bread]
        return f"{b['water'] / b['flour']:.1%} water, {b['salt'] / b['flour']:.2%} salt"
