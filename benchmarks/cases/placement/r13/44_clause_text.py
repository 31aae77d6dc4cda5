# pure
"""Keeps nothing: Template.substitute builds a new string; the clause library is only read."""
from string import Template

from graphbus_core import GraphBusNode, subscribe

CLAUSES = {
    "excess": Template("You bear the first $excess EUR of each loss."),
    "region": Template("Cover applies in $region."),
    "garage": Template("Repairs are made by $garage."),
}
ORDER = ("region", "excess", "garage")


class Known(dict):
    """Marks placeholders nobody filled."""

    def __missing__(self, key: str) -> str:
        return f"<{key}>"


class ClauseText(GraphBusNode):
    numbering = "{index}. {text}"

    def _clauses(self, wanted: list[str]) -> list[Template]:
        names = sorted(set(wanted) & set(CLAUSES), key=ORDER.index)
        return [CLAUSES[name] for name in names]

    @subscribe("/Contract/Clauses")
    def text(self, wanted: list[str], values: dict[str, str]) -> dict[str, object]:
        filled = Known({key: value.strip() for key, value in values.items()})
        lines = []
        for index, template in enumerate(self._clauses(wanted), start=1):
            lines.append(self.numbering.format(index=index, text=template.substitute(filled)))
        unknown = [name for name in wanted if name not in CLAUSES]
        return {"text": "\n".join(lines), "unknown": unknown, "open": sum("<" in line for line in lines)}
