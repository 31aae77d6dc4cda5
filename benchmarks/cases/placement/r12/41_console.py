# stateful
"""Parses each command line into the same namespace, where options given once stay given."""
import argparse
import shlex

from graphbus_core import GraphBusNode, subscribe


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("stock", add_help=False, exit_on_error=False, allow_abbrev=False)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--urgent", action="store_true")
    parser.add_argument("--depot", default="north")
    return parser


class Settings(argparse.Namespace):
    dry_run: bool
    urgent: bool
    depot: str

    def describe(self) -> str:
        marks = [name for name in ("dry_run", "urgent") if getattr(self, name)]
        return ",".join([self.depot, *marks])


class StockConsole(GraphBusNode):
    """Commands that the shop managers type into the chat."""

    VERBS = {"order": 1, "return": -1, "count": 0}

    def __init__(self) -> None:
        super().__init__()
        self._parser = build_parser()
        self._settings = Settings()

    def _parse(self, line: str) -> list[str]:
        _, words = self._parser.parse_known_args(shlex.split(line), namespace=self._settings)
        return words

    @subscribe("/Chat/Command")
    def on_command(self, manager: str, line: str) -> dict[str, object]:
        try:
            words = self._parse(line)
        except (ValueError, argparse.ArgumentError) as error:
            return {"manager": manager, "error": type(error).__name__}
        match words:
            case [verb, article, amount] if verb in self.VERBS and amount.isdigit():
                change = self.VERBS[verb] * int(amount)
            case _:
                return {"manager": manager, "error": "usage: order|return|count ARTICLE N"}
        return {"manager": manager, "article": article, "change": change, "settings": self._settings.describe()}
