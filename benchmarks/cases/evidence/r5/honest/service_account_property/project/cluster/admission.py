from cluster.manifest import Manifest
from graphbus_core import GraphBusNode, depends_on, schema_method


class Admission(GraphBusNode):
    TRUSTED = {"builder", "deployer"}

    @depends_on("Manifest.read")
    @schema_method(input_schema={"service_account": str}, output_schema={"allowed": bool})
    def allow(self, service_account: str):
        return {"allowed": service_account in self.TRUSTED}


def admit(text):
    spec = Manifest().read(text)
    return Admission().allow(service_account=spec.service_account)["allowed"]
