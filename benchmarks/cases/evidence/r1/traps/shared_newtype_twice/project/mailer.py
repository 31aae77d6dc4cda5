from graphbus_core import GraphBusNode, depends_on, schema_method
from ids import MemberId


class Mailer(GraphBusNode):
    @depends_on("Swap.match")
    @schema_method
    def mail(self, member: MemberId, book: str) -> dict[str, str]:
        return {"text": f"{member}: please fetch {book}"}
