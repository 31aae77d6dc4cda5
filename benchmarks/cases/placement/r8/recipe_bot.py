# pure
"""Keeps nothing: parser and namespace are made for every message."""
import argparse
import shlex
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

RECIPES = {
    "pancakes": {"flour": Fraction(125), "milk": Fraction(250), "egg": Fraction(1)},
    "dough": {"flour": Fraction(500), "water": Fraction(325), "yeast": Fraction(7, 2)},
}


class Usage(Exception):
    pass


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        raise Usage(message)


def build_parser() -> Parser:
    parser = Parser(prog="recipe", add_help=False)
    parser.add_argument("name", choices=sorted(RECIPES))
    parser.add_argument("--for", dest="people", type=int, default=4)
    parser.add_argument("--without", action="append", default=[])
    return parser


def scaled(name: str, people: int, without: list[str]) -> list[str]:
    factor = Fraction(people, 4)
    return [f"{what} {float(amount * factor):g}" for what, amount in RECIPES[name].items() if what not in without]


class RecipeBot(GraphBusNode):
    """Answers cooking questions in the chat."""

    @subscribe("/Chat/Recipe")
    def on_recipe(self, text: str) -> dict[str, object]:
        try:
            options = build_parser().parse_args(shlex.split(text))
        except Usage as exc:
            return {"error": str(exc).split(" (")[0]}
        return {"name": options.name, "list": scaled(options.name, options.people, options.without)}
