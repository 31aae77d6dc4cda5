from plugin import Plugin


class Spell(Plugin):
    name = 'spell'

    def language(self):
        return self.name[:2]
