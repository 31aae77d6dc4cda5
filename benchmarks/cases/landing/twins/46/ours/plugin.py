class Plugin:
    name = 'plain'

    def __init__(self, **options):
        self.settings = options

    def describe(self):
        return self.name
