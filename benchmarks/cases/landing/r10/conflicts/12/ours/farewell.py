"""A last mail to people whose account is closed."""

TEXT = "Dear {name}, your account is closed. You can come back at any time."


class Farewell:
    def __init__(self, team, send):
        self.send = send
        team.on_close.append(self.closed)

    def closed(self, account):
        if account.email:
            self.send(account.email, TEXT.format(name=account.name.title()))
