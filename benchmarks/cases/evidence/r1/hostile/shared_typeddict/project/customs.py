from graphbus_core import GraphBusNode, schema_method
from shapes import Group


class Customs(GraphBusNode):
    @schema_method
    def check(self, group: Group) -> dict[str, str]:
        return {"desks": f"{-(-group['people'] // 50)} for {group['origin']}"}
