class Shell:
    def __init__(self):
        self.items = ['a']

    def run(self, word):
        fn = getattr(self, 'do_' + word, None)
        if fn is None:
            return 'unknown'
        return fn()

    def do_list(self):
        return ' '.join(self.items)

    def prompt(self):
        return '> '

    def drop_all(self):
        n = len(self.items)
        self.items.clear()
        return n
