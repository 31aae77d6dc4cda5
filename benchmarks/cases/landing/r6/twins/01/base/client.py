class Client:
    def __init__(self, settings, transport):
        self.settings = settings
        self.transport = transport

    def wait_seconds(self):
        return self.settings["timeout"]

    def get(self, path):
        return self.transport(path, self.wait_seconds())
