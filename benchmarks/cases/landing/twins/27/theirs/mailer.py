class Mailer:
    def __init__(self, hub):
        self.sent = []
        hub.subscribe('user.deleted', self.notify)

    def notify(self, mail):
        self.sent.append(mail)
