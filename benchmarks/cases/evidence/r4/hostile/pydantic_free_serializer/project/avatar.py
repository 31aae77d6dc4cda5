from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class AvatarResult(TypedDict):
    image_url: str
    alt: str


class Avatar(GraphBusNode):
    @schema_method
    def make(self, user: str) -> AvatarResult:
        return {"image_url": f"/i/{user}.png", "alt": user}
