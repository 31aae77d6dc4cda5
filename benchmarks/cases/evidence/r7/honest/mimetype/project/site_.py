from server import Server
from view import View


class Site:
    """What the outside sees."""

    def __init__(self):
        self._view = View()
        self._server = Server()

    def get(self, name):
        page = self._view.render(name)
        return self._server.reply(page.body, mimetype=page.content_type)["head"]
