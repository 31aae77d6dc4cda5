import importlib
import tomllib


def resolve(where):
    module, rest = where.split(":")
    cls, method = rest.split(".")
    return getattr(getattr(importlib.import_module(module), cls)(), method)


with open("wires.toml", "rb") as f:
    for wire in tomllib.load(f)["wire"]:
        sent = resolve(wire["from"])("north")
        print(resolve(wire["to"])(**{new: sent[old] for old, new in wire["fields"].items()})["text"])
