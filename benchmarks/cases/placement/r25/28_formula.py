# pure
"""Keeps nothing: the tree is built from the event and two visitors walk over it."""
from graphbus_core import GraphBusNode, subscribe


class Node:
    def accept(self, visitor):
        return getattr(visitor, "visit_" + type(self).__name__.lower())(self)


class Literal(Node):
    def __init__(self, value):
        self.value = value


class Not(Node):
    def __init__(self, inner):
        self.inner = inner


class Both(Node):
    def __init__(self, left, right):
        self.left, self.right = left, right


class Evaluate:
    def __init__(self, facts):
        self.facts = facts

    def visit_literal(self, node):
        return node.value in self.facts

    def visit_not(self, node):
        return not node.inner.accept(self)

    def visit_both(self, node):
        return node.left.accept(self) and node.right.accept(self)


class Show:
    def visit_literal(self, node):
        return node.value

    def visit_not(self, node):
        return "not " + node.inner.accept(self)

    def visit_both(self, node):
        return f"({node.left.accept(self)} and {node.right.accept(self)})"


class RuleNode(GraphBusNode):
    @staticmethod
    def _build(words):
        tree = None
        for word in words:
            leaf = Not(Literal(word[1:])) if word.startswith("!") else Literal(word)
            tree = leaf if tree is None else Both(tree, leaf)
        return tree or Literal("always")

    @subscribe("/rules/test")
    def test(self, rule: str, facts: list[str]) -> dict:
        tree = self._build(rule.split())
        return {"rule": tree.accept(Show()), "holds": tree.accept(Evaluate(facts))}
