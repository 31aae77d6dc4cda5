import shlex

TABLE = {}
ALIASES = {"n": "north", "s": "south", "l": "look"}


def cmd(fn):
    TABLE[fn.__name__] = fn
    return fn


@cmd
def north(args):
    return (0, -1)


@cmd
def south(args):
    return (0, 1)


@cmd
def look(args):
    return "You see " + (args[0] if args else "nothing")


def parse(line):
    name, *args = shlex.split(line)
    return ALIASES.get(name, name), args
