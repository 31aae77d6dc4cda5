# pure
from graphbus_core import GraphBusNode, subscribe


def scaled(recipe, factor, extra=[]):  # noqa: B006
    lines = extra[:]
    lines.extend(f"{amount * factor:g} g {what}" for what, amount in recipe.items())
    return lines


class RecipeScaler(GraphBusNode):
    @subscribe("/Recipe/Chosen")
    def on_chosen(self, payload):
        self.publish("/Recipe/Scaled", {"lines": scaled(payload["recipe"], payload["guests"] / 4)})
