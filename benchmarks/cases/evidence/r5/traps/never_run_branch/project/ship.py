from graphbus_core import GraphBusNode, depends_on, schema_method

OLD_WAY = False


class Depth(GraphBusNode):
    @schema_method(input_schema={"bay": str}, output_schema={"fathoms": float})
    def sound(self, bay):
        return {"fathoms": 10.0}


class Anchor(GraphBusNode):
    @depends_on("Depth.sound")
    @schema_method(input_schema={"chain_m": float}, output_schema={"links": int})
    def drop(self, chain_m):
        return {"links": round(chain_m * 4)}


def drop_in(bay):
    depth = Depth().sound(bay)
    if OLD_WAY:
        # ran aground with this in 2011
        return Anchor().drop(chain_m=depth["fathoms"])
    return Anchor().drop(chain_m=depth["fathoms"] * 1.8288 * 3)
