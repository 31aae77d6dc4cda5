import importlib

# The frozen build has no folder to scan.
MODULES = ("flat_out", "tree_out")
FORMATS = {}


def exporter(name):
    def keep(func):
        FORMATS[name] = func
        return func
    return keep


def load():
    for module in MODULES:
        importlib.import_module(f"{__name__}.{module}")


def export(name, rows):
    load()
    return FORMATS[name](rows)
