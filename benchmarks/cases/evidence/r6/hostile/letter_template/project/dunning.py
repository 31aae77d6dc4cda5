from graphbus_core import GraphBusNode, depends_on, schema_method

LEVELS = [(60, 3, 25.0), (30, 2, 10.0), (7, 1, 0.0)]


class Dunning(GraphBusNode):
    SYSTEM_PROMPT = "I decide how we ask for money."

    @depends_on("Accounts.overdue")
    @schema_method(
        input_schema={"outstanding": float, "days": int},
        output_schema={"level": int, "fee": float},
    )
    def plan(self, outstanding, days):
        if outstanding < 40:
            return {"level": 0, "fee": 0.0}
        for limit, level, fee in LEVELS:
            if days >= limit:
                return {"level": level, "fee": fee}
        return {"level": 0, "fee": 0.0}
