from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Shot:
    iso: int
    exposure_ms: int


class Camera(GraphBusNode):
    @schema_method
    def shot(self) -> Shot:
        return Shot(iso=400, exposure_ms=8)


class Lab(GraphBusNode):
    @depends_on("Camera.shot")
    @schema_method
    def develop(self, exposure: int) -> dict[str, str]:
        return {"exif": f"1/{1000 // exposure}"}
