"""Named sequences of shell commands, with {0}, {1} ... for the arguments."""

MACROS = {
    "restock": ["add {0} 100", "ls"],
    "replace": ["rm {0}", "add {1} {2}"],
}


def expand(name, *args):
    return [line.format(*args) for line in MACROS[name]]


def play(shell, name, *args):
    """Run every line of the macro and return what the last one said."""
    said = ""
    for line in expand(name, *args):
        said = shell.execute(line)
    return said
