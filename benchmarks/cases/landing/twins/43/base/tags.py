class Tag:
    def __init__(self, label):
        self.label = label

    def __repr__(self):
        return f'<{self.label}>'
