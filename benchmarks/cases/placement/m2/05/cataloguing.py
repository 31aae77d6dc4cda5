import re
import unicodedata
from string import Template

from graphbus_core import subscribe

from base import Desk

STYLES = {
    "apa": Template("$names ($year). $title. $isbn"),
    "mla": Template("$names. $title, $year. $isbn"),
}


def isbn13(text: str) -> str | None:
    digits = re.sub(r"[^0-9Xx]", "", text)
    if len(digits) == 10:
        digits = "978" + digits[:9]
    elif len(digits) == 13:
        digits = digits[:12]
    else:
        return None
    return digits + str(-sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10)


class CatalogueDesk(Desk):
    limit = 2

    @subscribe("/Library/Catalogue/Cite")
    def cite(self, authors: list, title: str, year: int, isbn: str, style: str) -> dict:
        names = [", ".join([a.split()[-1], *(p[0] + "." for p in a.split()[:-1])]) for a in authors]
        if len(names) > self.limit:
            names[self.limit:] = ["et al."]
        text = STYLES[style].safe_substitute(names=" & ".join(names), title=self.tidy(title), year=year,
                                             isbn=isbn13(isbn) or "no ISBN")
        key = unicodedata.normalize("NFKD", names[0]).encode("ascii", "ignore").decode().lower()
        return {"citation": text, "sort_key": re.sub(r"\W+", "", key) + str(year)}
