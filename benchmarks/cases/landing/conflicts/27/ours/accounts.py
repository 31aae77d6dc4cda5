class Accounts:
    def __init__(self, hub):
        self.hub = hub

    def register(self, mail):
        self.hub.publish('user.registered', mail=mail)

    def delete(self, mail):
        self.hub.publish('user.deleted', mail=mail)
