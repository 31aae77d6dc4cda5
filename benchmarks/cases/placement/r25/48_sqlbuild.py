# pure
"""Keeps one builder for all events, but resets it at the start of each."""
from graphbus_core import GraphBusNode, subscribe


class QueryBuilder:
    def __init__(self):
        self.reset()

    def reset(self):
        self._columns = []
        self._where = []
        self._params = []
        self._order = None
        return self

    def select(self, *columns):
        self._columns.extend(columns)
        return self

    def where(self, column, op, value):
        self._where.append(f"{column} {op} ?")
        self._params.append(value)
        return self

    def order_by(self, column):
        self._order = column
        return self

    def build(self, table):
        sql = f"SELECT {', '.join(self._columns) or '*'} FROM {table}"
        if self._where:
            sql += " WHERE " + " AND ".join(self._where)
        if self._order:
            sql += f" ORDER BY {self._order}"
        return sql, self._params


class SearchNode(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._builder = QueryBuilder()

    @subscribe("/search/customers")
    def search(self, town: str, min_orders: int) -> dict:
        query = self._builder.reset().select("id", "name")
        if town:
            query.where("town", "=", town)
        if min_orders > 0:
            query.select("orders").where("orders", ">=", min_orders).order_by("orders")
        sql, params = query.build("customers")
        return {"sql": sql, "params": list(params)}
