# stateful
from graphbus_core import GraphBusNode, subscribe


class Field:
    kinds = {}
    widget = "text"

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Field.kinds[cls.__name__.lower()] = cls


class Date(Field):
    widget = "calendar"


class Amount(Field):
    widget = "number"


class FormFields(GraphBusNode):
    @subscribe("/Form/NewKind")
    def on_new_kind(self, payload):
        base = Field.kinds.get(payload.get("like"), Field)
        made = type(payload["name"].title(), (base,), {})
        self.publish("/Form/KindMade", {"widget": made.widget})

    @subscribe("/Form/Show")
    def on_show(self, payload):
        widgets = [Field.kinds.get(k, Field).widget for k in payload["fields"]]
        self.publish("/Form/Widgets", {"form": payload["form"], "widgets": widgets})
