from graphbus_core import GraphBusNode, schema_method


class Session(GraphBusNode):
    USERS = {"ada": "t1", "root": None, "guest": None}

    @schema_method(output_schema={"tenant": str | None})
    def whoami(self, user: str):
        return {"tenant": self.USERS[user]}
