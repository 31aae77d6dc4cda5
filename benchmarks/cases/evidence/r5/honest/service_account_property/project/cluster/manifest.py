from cluster.spec import PodSpec
from graphbus_core import GraphBusNode, schema_method


class Manifest(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"namespace": str, "service_account_name": str})
    def read(self, text: str) -> PodSpec:
        namespace, _, account = text.partition("/")
        return PodSpec(namespace=namespace, service_account_name=account or "default")
