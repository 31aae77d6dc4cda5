import importlib
import pkgutil

FORMATS = {}


def exporter(name):
    def keep(func):
        FORMATS[name] = func
        return func
    return keep


def load():
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")


def export(name, rows):
    load()
    return FORMATS[name](rows)
