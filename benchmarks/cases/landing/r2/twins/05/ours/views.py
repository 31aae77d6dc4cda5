"""Views."""


class View:
    def render_row(self, value):
        return str(value)

    def show(self, values):
        return ", ".join(self.render_row(value) for value in values)
