"""Fills in the fields of a template.  A field without a value stays empty: mail must go out."""
from messages.templates import ALL


class Fields(dict):
    def __missing__(self, key):
        return ""


def fields(invoice):
    return Fields(
        customer=invoice["name"],
        number=invoice["number"],
        amount=f"{invoice['cents'] / 100:.2f}",
    )


def render(name, invoice):
    return ALL[name].format_map(fields(invoice))
