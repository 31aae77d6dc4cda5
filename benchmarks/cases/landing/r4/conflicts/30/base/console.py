"""A small command console for to-do lists."""
import shlex

COMMANDS = {}
ITEMS = []


def command(name):
    def register(function):
        COMMANDS[name] = function
        return function
    return register


@command("add")
def add(args):
    ITEMS.append(" ".join(args))
    return "ok"


@command("list")
def show(args):
    wanted = args[0] if args else ""
    return "\n".join(item for item in ITEMS if wanted in item)


@command("help")
def usage(args):
    return " ".join(sorted(COMMANDS))


def run(line):
    """One line typed by the user -> the answer."""
    name, *args = shlex.split(line)
    handler = COMMANDS.get(name)
    if handler is None:
        return f"unknown command {name}"
    return handler(args)
