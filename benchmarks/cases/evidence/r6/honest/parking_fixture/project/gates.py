"""A car park: in, pay, out."""
import zlib

from graphbus_core import GraphBusNode, depends_on, schema_method

PAID = set()


class EntryGate(GraphBusNode):
    def __init__(self, bay="N"):
        super().__init__()
        self.bay = bay
        self.inside = {}

    @schema_method(
        input_schema={"plate": str},
        output_schema={"plate": str, "ticket_no": str},
    )
    def enter(self, plate):
        number = f"{self.bay}{zlib.crc32(plate.encode()) % 100000:05d}"
        self.inside[number] = plate
        return {"plate": plate, "ticket_no": number}


def pay(number):
    PAID.add(number)


class ExitGate(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.scans = []

    @depends_on("EntryGate.enter")
    @schema_method(input_schema={"barcode": str}, output_schema={"open": bool, "why": str})
    def leave(self, barcode):
        self.scans.append(barcode)
        if barcode in PAID:
            PAID.discard(barcode)
            return {"open": True, "why": ""}
        return {"open": False, "why": "unpaid"}
