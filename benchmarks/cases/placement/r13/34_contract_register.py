# stateful
"""The connection to the in-memory database lives in a default argument, with all rows of earlier events."""
import sqlite3

from graphbus_core import GraphBusNode, subscribe


def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("CREATE TABLE entry (person TEXT, object TEXT, UNIQUE (person, object))")
    return connection


def enter(person: str, thing: str, db: sqlite3.Connection = database()) -> bool:
    try:
        db.execute("INSERT INTO entry VALUES (?, ?)", (person, thing))
    except sqlite3.IntegrityError:
        return False
    return True


class ContractRegister(GraphBusNode):
    """Refuses what the table's constraint does not allow."""

    @subscribe("/Contracts/Apply")
    def apply(self, person: str, thing: str) -> dict[str, object]:
        key = (person.strip().casefold(), thing.strip().casefold())
        if not all(key):
            return {"status": "incomplete"}
        return {"status": "entered" if enter(*key) else "refused"}
