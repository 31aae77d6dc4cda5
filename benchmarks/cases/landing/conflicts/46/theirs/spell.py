from plugin import Plugin


class Spell(Plugin):
    name = 'spell'

    def language(self):
        return self.options.get('lang', 'en')
