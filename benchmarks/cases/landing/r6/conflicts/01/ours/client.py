class Client:
    def __init__(self, settings, transport):
        self.settings = settings
        self.transport = transport

    def wait_seconds(self):
        return self.settings["timeout"] / 1000

    def get(self, path):
        return self.transport(path, self.wait_seconds())
