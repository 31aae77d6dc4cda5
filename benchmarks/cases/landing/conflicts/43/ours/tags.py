class Tag:
    def __init__(self, label):
        self.label = label

    def __eq__(self, other):
        return isinstance(other, Tag) and self.label == other.label

    def __repr__(self):
        return f'<{self.label}>'
