class Shell:
    def __init__(self):
        self.items = ['a']

    def run(self, word):
        fn = getattr(self, 'cmd_' + word, None)
        if fn is None:
            return 'unknown'
        return fn()

    def cmd_list(self):
        return ' '.join(self.items)

    def prompt(self):
        return '> '
