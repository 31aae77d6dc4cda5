from dataclasses import asdict, dataclass
from xml.etree import ElementTree as ET

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Sample:
    well: str
    ph: float

    def xml(self):
        return ET.tostring(ET.Element("sample", {k: str(v) for k, v in asdict(self).items()})).decode()

    @classmethod
    def load(cls, text):
        found = ET.fromstring(text).attrib
        return cls(**{k: kind(found[k]) for k, kind in cls.__annotations__.items()})


class Lab(GraphBusNode):
    @schema_method(input_schema={"well": str}, output_schema={"well": str, "ph_value": float})
    def analyse(self, well):
        return {"well": well, "ph_value": 6.5 + len(well) / 10}


class Archive(GraphBusNode):
    @depends_on("Lab.analyse")
    @schema_method(input_schema=Sample, output_schema={"xml": str})
    def keep(self, well: str, ph: float):
        return {"xml": Sample(well=well, ph=ph).xml()}
