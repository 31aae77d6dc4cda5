from graphbus_core import GraphBusNode, subscribe

from layout import Column, Grid, banner


class ReportNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._totals: dict[str, int] = {}

    def _count(self, row: dict, columns: list[Column]) -> None:
        for column in columns:
            value = row.get(column.key)
            if column.kind == "money" and value is not None:
                self._totals[column.key] = self._totals.get(column.key, 0) + value

    @subscribe("/Report")
    def on_report(self, title: str, columns: list[str], rows: list[dict]) -> dict:
        self._totals = {}
        specs = [Column.parse(c) for c in columns]
        grid = Grid(specs)
        for row in rows:
            grid.add(row)
            self._count(row, specs)
        if self._totals:
            grid.add(self._totals)
        return {"text": banner(title) + "\n" + grid.render()}
