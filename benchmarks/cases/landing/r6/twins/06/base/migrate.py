import importlib
import pkgutil

import steps


def all_steps():
    names = [m.name for m in pkgutil.iter_modules(steps.__path__)]
    found = [importlib.import_module("steps." + name) for name in sorted(names)]
    return sorted(found, key=lambda step: step.VERSION)


def migrate(db):
    for step in all_steps():
        if step.VERSION > db.get("version", 0):
            step.up(db)
            db["version"] = step.VERSION
    return db
