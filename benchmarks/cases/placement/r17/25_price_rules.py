# stateful
"""read_string() adds to what the parser has read before, so rules of an earlier basket fill the gaps of a later one."""
import configparser

from graphbus_core import GraphBusNode, subscribe

DEFAULTS = {"discount": "0", "shipping": "4.90", "free_from": "100"}


class Rules:
    """Price rules written as an INI text, a section for each group of customers."""

    def __init__(self) -> None:
        self._parser = configparser.ConfigParser(
            defaults=DEFAULTS, inline_comment_prefixes=("#",), interpolation=None, default_section="all"
        )

    def load(self, text: str) -> configparser.SectionProxy:
        self._parser.read_string(text)
        return self._parser["all"]

    def group(self, text: str, name: str) -> configparser.SectionProxy:
        everyone = self.load(text)
        return self._parser[name] if self._parser.has_section(name) else everyone


class PriceRules(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._rules = Rules()

    @subscribe("/Shop/Basket")
    def on_basket(self, basket: str, group: str, rules: str, price: float, quantity: int) -> dict[str, object]:
        try:
            section = self._rules.group(rules, group)
            discount = section.getfloat("discount")
            shipping = section.getfloat("shipping")
            free_from = section.getfloat("free_from")
        except (configparser.Error, ValueError) as error:
            return {"basket": basket, "error": type(error).__name__}
        net = price * quantity * (100 - discount) / 100
        if net < free_from:
            net += shipping
        return {"basket": basket, "net": round(net, 2)}
