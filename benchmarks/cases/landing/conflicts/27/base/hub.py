class Hub:
    def __init__(self):
        self.subs = {}

    def subscribe(self, topic, fn):
        self.subs.setdefault(topic, []).append(fn)

    def publish(self, topic, **data):
        for fn in self.subs.get(topic, ()):
            fn(**data)
