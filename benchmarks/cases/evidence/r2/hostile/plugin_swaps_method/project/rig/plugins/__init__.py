import importlib
import pkgutil


def load():
    for found in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{found.name}").install()
