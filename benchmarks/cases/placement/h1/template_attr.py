# stateful
"""template_attr"""
from graphbus_core import GraphBusNode, subscribe


from string import Template
class T(Template):
    pass
TEXT = T("a")
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        before = TEXT.substitute()
        TEXT.template = "x" * amount
        return before
