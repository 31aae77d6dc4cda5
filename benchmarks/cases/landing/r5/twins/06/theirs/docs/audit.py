class Audit:
    """Remembers which documents were saved, for the compliance page."""

    def __init__(self, bus):
        self.saved = []
        bus.subscribe("saved", self._note)

    def _note(self, doc):
        self.saved.append(doc["id"])
