from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

import sqlite3


class AccountsResult(TypedDict):
    rows: list[str]


class Accounts(GraphBusNode):
    @depends_on("Signup.register")
    @schema_method
    def insert(self, username: str, mail: str) -> AccountsResult:
        db = sqlite3.connect(":memory:")
        db.execute("create table account (username text, mail text)")
        args = {k: v for k, v in locals().items() if isinstance(v, str)}
        db.execute("insert into account values (:username, :mail)", args)
        return {"rows": [r[0] for r in db.execute("select username from account")]}
