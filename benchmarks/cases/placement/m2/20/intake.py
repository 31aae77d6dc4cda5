from graphbus_core import GraphBusNode, subscribe

from seq.spool import file_for


class SampleIntake(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Genome/Sample/Read")
    def take(self, sample: str, read: str, quality: int) -> dict[str, object]:
        with file_for(sample).open("a") as f:
            if quality >= 20:
                f.write(f">{sample} q={quality}\n{read}\n")
            return {"sample": sample, "bytes": f.tell()}
