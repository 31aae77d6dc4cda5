class Plugin:
    name = 'plain'

    def __init__(self, **options):
        self.options = options

    def describe(self):
        return self.name
