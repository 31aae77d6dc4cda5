from pathlib import Path
from string import Template

HERE = Path(__file__).parent


def render(template, customer, **extra):
    """Fill mailer/<template>.txt; an unknown $word (a price in dollars, say) stays as it is."""
    text = (HERE / f"{template}.txt").read_text("utf-8")
    first, _, last = customer["name"].partition(" ")
    return Template(text).safe_substitute(
        first_name=first,
        last_name=last,
        mail=customer["mail"],
        **extra,
    )
