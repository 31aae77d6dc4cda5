class Preview:
    """Shows the text of the last saved document."""

    def __init__(self, bus):
        self.text = ""
        bus.subscribe("saved", self.refresh)

    def refresh(self, doc):
        self.text = doc["text"]
