import hashlib

from graphbus_core import GraphBusNode, depends_on, schema_method

DATA = b"wheel"


class Mirror(GraphBusNode):
    @schema_method(input_schema={"file": str}, output_schema={"md5": str, "bytes": int})
    def index(self, file):
        return {"md5": hashlib.md5(DATA, usedforsecurity=False).hexdigest(), "bytes": len(DATA)}


class Verifier(GraphBusNode):
    @depends_on("Mirror.index")
    @schema_method(input_schema={"digest": str}, output_schema={"good": bool})
    def verify(self, digest):
        return {"good": digest == hashlib.sha256(DATA).hexdigest()}
