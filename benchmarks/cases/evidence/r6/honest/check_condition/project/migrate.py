"""Constraints of tables."""
import sqlite3
from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Constraint:
    name: str
    condition: str
    comment: str = "none"


class MigrationPlan(GraphBusNode):
    SYSTEM_PROMPT = "I hold the constraints that are to be added."

    def __init__(self):
        super().__init__()
        self.todo = [
            Constraint("age_positive", "age >= 0", "people are born"),
            Constraint("name_set", "length(name) > 0"),
        ]

    @schema_method(
        input_schema={"number": int},
        output_schema={"name": str, "condition": str, "comment": str},
    )
    def constraint(self, number):
        return dict(vars(self.todo[number]))


class Table(GraphBusNode):
    SYSTEM_PROMPT = "I am a table of people."

    def __init__(self):
        super().__init__()
        self.constraints = []

    @depends_on("MigrationPlan.constraint")
    @schema_method(
        input_schema={"name": str, "check": str},
        output_schema={"sql": str},
    )
    def add_constraint(self, name, check):
        sql = f"constraint {name} check ({check})"
        self.constraints.append(sql)
        return {"sql": sql}

    def accepts(self, name, age):
        db = sqlite3.connect(":memory:")
        columns = ", ".join(["name text", "age int", *self.constraints])
        db.execute(f"create table person ({columns})")
        try:
            db.execute("insert into person values (?, ?)", (name, age))
        except sqlite3.IntegrityError:
            return False
        return True
