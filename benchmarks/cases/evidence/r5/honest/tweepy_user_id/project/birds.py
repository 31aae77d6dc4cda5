"""Follow people.

>>> found = Lookup().by_name("jay")
>>> Follow().add(id=found["user_id"])
{'following': [12]}
"""

from graphbus_core import GraphBusNode, depends_on, schema_method

PEOPLE = {"jay": (12, 900), "wren": (13, 901)}


class Lookup(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"tweet_id": int, "user_id": int})
    def by_name(self, name):
        user_id, tweet_id = PEOPLE[name]
        return {"tweet_id": tweet_id, "user_id": user_id}


class Follow(GraphBusNode):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.following = []

    @depends_on("Lookup.by_name")
    @schema_method(input_schema={"id": int}, output_schema={"following": list})
    def add(self, id):
        self.following.append(id)
        return {"following": list(self.following)}
