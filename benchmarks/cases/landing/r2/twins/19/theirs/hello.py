"""Hello."""

from plugin import Plugin


class Hello(Plugin):
    def run(self):
        return "hello"
