"""A stand-in for the machine that runs the service."""


class Host:
    def __init__(self, settings=None):
        self.running = True
        self.version = 1
        self.settings = dict(settings or {})
        self.data = {}          # on disk
        self.journal = {}       # written, but not on disk yet
        self.sessions = {}      # who is logged in, in memory
        self.saved_sessions = {}

    def put(self, key, value):
        self.journal[key] = value

    def flush(self):
        self.data.update(self.journal)
        self.journal.clear()

    def stop(self):
        self.flush()
        self.saved_sessions = dict(self.sessions)
        self.sessions.clear()
        self.running = False

    def start(self):
        self.sessions = dict(self.saved_sessions)
        self.running = True
