import itertools
import unicodedata

from graphbus_core import GraphBusNode, subscribe

from seating import plan_for


def _plain(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text) if c.isalnum()).lower()


class Accounts(GraphBusNode):
    """Distinct account names for a list of pupils."""

    @subscribe("/school/accounts")
    def accounts(self, pupils: list[str]) -> dict:
        taken = {"admin"}
        result = []
        for pupil in pupils:
            first, _, last = pupil.partition(" ")
            stem = _plain(last)[:6] + _plain(first)[:2]
            for n in itertools.count():
                name = stem + (str(n) if n else "")
                if name not in taken:
                    break
            taken.add(name)
            result.append(name)
        return {"names": result, "rows": plan_for(result)}
