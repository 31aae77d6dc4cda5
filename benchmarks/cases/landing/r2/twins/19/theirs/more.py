"""More."""

from plugin import Plugin


def names(plugins):
    return [type(plugin).__name__ for plugin in plugins]


class Bye(Plugin):
    def run(self):
        return "bye"
