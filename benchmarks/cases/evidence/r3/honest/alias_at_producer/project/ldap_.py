from typing import Annotated

from graphbus_core import Alias, GraphBusNode, schema_method

OUT = {"uid": Annotated[str, Alias("member_id")], "mail": str}


class Ldap(GraphBusNode):
    @schema_method(input_schema={"mail": str}, output_schema=OUT)
    def who(self, mail):
        return {"uid": mail.split("@")[0].lower(), "mail": mail}
