class Session:
    def __init__(self, user):
        self.user = user
        self.note = ''

    def whoami(self):
        return self.user
