# stateful
"""Creates record classes at run time; __init_subclass__ enters each in the base class's table and numbers the versions."""
from graphbus_core import GraphBusNode, subscribe

CASTS = {"int": int, "str": str, "float": float}


class Record:
    fields: dict[str, type] = {}
    by_name: dict[str, type["Record"]] = {}
    version = 1

    def __init_subclass__(cls, **options) -> None:
        super().__init_subclass__(**options)
        older = Record.by_name.get(cls.__name__)
        if older is not None:
            cls.version = older.version + (older.fields != cls.fields)
        Record.by_name[cls.__name__] = cls

    @classmethod
    def describe(cls) -> str:
        columns = ", ".join(f"{name}: {kind.__name__}" for name, kind in cls.fields.items())
        return f"{cls.__name__}/v{cls.version}({columns})"


def _class_name(table: str) -> str:
    return "".join(part.capitalize() for part in table.split("_") if part)


def _make(table: str, columns: dict[str, str]) -> type[Record]:
    fields = {name: CASTS.get(kind, str) for name, kind in columns.items()}
    return type(_class_name(table), (Record,), {"fields": fields})


class SchemaTypes(GraphBusNode):
    @subscribe("/Schema/Table")
    def on_table(self, table: str, columns: dict[str, str]) -> dict:
        if not table.replace("_", "").isalpha():
            return {"table": table, "error": "bad name"}
        return {"table": table, "schema": _make(table, columns).describe()}
