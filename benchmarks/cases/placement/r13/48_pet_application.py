# stateful
"""argparse writes into one Namespace passed for every form; options set once stay set."""
import argparse
import shlex

from graphbus_core import GraphBusNode, subscribe


def build() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pet", add_help=False, exit_on_error=False)
    parser.add_argument("--species", default="dog")
    parser.add_argument("--age", type=int, default=1)
    parser.add_argument("--surgery", action="store_true")
    return parser


class PetApplication(GraphBusNode):
    """The web form posts its fields as one option line."""

    def __init__(self) -> None:
        super().__init__()
        self.parser = build()
        self.form = argparse.Namespace(channel="web")

    @subscribe("/Pet/Apply")
    def apply(self, owner: str, options: str) -> dict[str, object]:
        form, rest = self.parser.parse_known_args(shlex.split(options), namespace=self.form)
        price = {"dog": 1900, "cat": 1400}.get(form.species, 2500)
        price += 150 * max(0, form.age - 5)
        if form.surgery:
            price *= 2
        return {"owner": owner, "price": price, "ignored": rest}
