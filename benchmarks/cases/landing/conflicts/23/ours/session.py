class Auth:
    def __init__(self, user):
        self.user = user


class Session:
    def __init__(self, user):
        self.auth = Auth(user)
        self.note = ''

    def whoami(self):
        return self.auth.user
