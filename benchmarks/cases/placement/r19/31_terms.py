# stateful
"""The parser reads each contract's clauses on top of those that it has read before."""
import configparser
import textwrap
from string import Template

from graphbus_core import GraphBusNode, subscribe

DEFAULTS = textwrap.dedent("""\
    [cover]
    theft = 2000
    fire = 50000
    water = 10000

    [excess]
    amount = 150
    """)
SENTENCE = Template("You are covered for $kind up to $limit, with an excess of $excess.")


class Terms(GraphBusNode):
    """Answers what a contract pays, given the text of its special clauses."""

    def __init__(self) -> None:
        super().__init__()
        self._parser = configparser.ConfigParser()
        self._parser.read_string(DEFAULTS)

    def _load(self, clauses: str) -> configparser.ConfigParser:
        if clauses.strip():
            self._parser.read_string(textwrap.dedent(clauses))
        return self._parser

    @subscribe("/Insurer/Questions")
    def on_question(self, contract: str, clauses: str, kind: str) -> dict[str, str]:
        try:
            terms = self._load(clauses)
        except configparser.Error as problem:
            return {"contract": contract, "answer": type(problem).__name__}
        limit = terms.getint("cover", kind, fallback=0)
        if not limit:
            return {"contract": contract, "answer": f"{kind} is not covered"}
        answer = SENTENCE.substitute(kind=kind, limit=limit, excess=terms.get("excess", "amount"))
        return {"contract": contract, "answer": answer}
