"""Takes a folder of order files, as the shops send them each night."""
import json
import pathlib

from orders import rules


def intake(folder):
    """Return (orders, names of the files put aside)."""
    taken, aside = [], []
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        try:
            order = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            aside.append(path.name)
            continue
        if rules.validate(order):
            taken.append(order)
        else:
            aside.append(path.name)
    return taken, aside
