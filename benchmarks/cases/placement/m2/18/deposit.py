import base64

from graphbus_core import GraphBusNode, subscribe

from media import archive, fingerprint


class Deposit(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/Museum/Record/Deposited")
    def deposit(self, accession: str, record: dict) -> dict:
        body = "\n".join(f"{k}: {record[k]}" for k in sorted(record)).encode()
        packed = archive.pack_alone(body)
        return {"name": f"{accession}-{fingerprint(body):08x}", "data": base64.b85encode(packed).decode()}
