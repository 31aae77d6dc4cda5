# finds the steps in this folder and runs the ones a database lacks
import importlib
import pkgutil


def steps():
    """{number: module}"""
    found = {}
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda i: i.name):
        mod = importlib.import_module(__name__ + "." + info.name)
        found[mod.NUMBER] = mod
    return found


def applied(db):
    db.execute("create table if not exists applied (number integer primary key)")
    return {n for (n,) in db.execute("select number from applied")}


def migrate(db):
    """Returns the numbers it ran."""
    have, ran = applied(db), []
    for n, mod in sorted(steps().items()):
        if n in have:
            continue
        mod.up(db)
        db.execute("insert into applied values (?)", (n,))
        ran.append(n)
    db.commit()
    return ran
