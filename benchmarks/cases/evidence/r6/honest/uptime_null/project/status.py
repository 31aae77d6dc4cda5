import html

from graphbus_core import GraphBusNode, subscribe


class StatusPage(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.rows = {}

    @staticmethod
    def words(seconds):
        days, rest = divmod(int(seconds), 86400)
        hours, rest = divmod(rest, 3600)
        clock = f"{hours:02d}:{rest // 60:02d}"
        return f"{days} d {clock}" if days else clock

    @subscribe("/Box/Heartbeat")
    def row(self, box: str, up_seconds: float):
        cells = (html.escape(box), self.words(up_seconds))
        self.rows[box] = "".join(f"<td>{cell}</td>" for cell in cells)
        return {"html": self.rows[box]}
