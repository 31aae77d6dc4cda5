import csv
import io


class Partner(csv.excel):
    delimiter = ";"
    lineterminator = "\n"


csv.register_dialect("partner", Partner)


def announce(delimiter: str, quote: str) -> list[str]:
    """Take over what a partner network says of its call records."""
    if delimiter:
        csv.register_dialect("partner", Partner, delimiter=delimiter, quotechar=quote or '"')
    d = csv.get_dialect("partner")
    return [d.delimiter, d.quotechar]


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text), dialect="partner"))


def line(*cells: object) -> str:
    out = io.StringIO()
    csv.writer(out, csv.unix_dialect, quoting=csv.QUOTE_MINIMAL).writerow(cells)
    return out.getvalue().rstrip("\n")
