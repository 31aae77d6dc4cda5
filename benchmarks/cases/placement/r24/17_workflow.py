# stateful
"""A tariff sent along with one item becomes a method of the class and prices the items after it."""
import ast
import operator
from graphbus_core import GraphBusNode, subscribe

OPS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


def evaluate(node, weight):
    if isinstance(node, ast.Expression):
        return evaluate(node.body, weight)
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name) and node.id == "weight":
        return weight
    if isinstance(node, ast.BinOp):
        return OPS[type(node.op)](evaluate(node.left, weight), evaluate(node.right, weight))
    raise SyntaxError(ast.dump(node))


class Tariff:
    def price_letter(self, weight):
        return 1

    def price_default(self, weight):
        return 5 + weight

    @classmethod
    def learn(cls, kind, source):
        tree = ast.parse(source, mode="eval")
        setattr(cls, f"price_{kind}", lambda self, weight: evaluate(tree, weight))

    def price(self, kind, weight):
        method = getattr(self, f"price_{kind}", self.price_default)
        return method(weight)


class PostCounter(GraphBusNode):
    @subscribe("/post/item")
    def on_item(self, kind: str, rule: str, weight: int) -> dict:
        tariff = Tariff()
        if rule:
            tariff.learn(kind, rule)
        return {"kind": kind, "price": tariff.price(kind, weight)}
