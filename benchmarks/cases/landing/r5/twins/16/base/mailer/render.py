from pathlib import Path
from string import Template

HERE = Path(__file__).parent


def render(template, customer, **extra):
    """Fill mailer/<template>.txt; an unknown $word (a price in dollars, say) stays as it is."""
    text = (HERE / f"{template}.txt").read_text("utf-8")
    return Template(text).safe_substitute(
        name=customer["name"],
        mail=customer["mail"],
        **extra,
    )
