"""Views."""


class View:
    def render(self, value):
        return str(value)

    def show(self, values):
        return ", ".join(self.render(value) for value in values)
