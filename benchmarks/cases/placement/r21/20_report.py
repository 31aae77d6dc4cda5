# pure
"""Keeps a template report, which is copied deeply before an event writes into its lists."""
from copy import deepcopy
from dataclasses import asdict, dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Section:
    title: str
    lines: list[str] = field(default_factory=list)


@dataclass
class Report:
    patient: str = ""
    sections: list[Section] = field(default_factory=list)
    critical: int = 0

    def section(self, title: str) -> Section:
        for section in self.sections:
            if section.title == title:
                return section
        self.sections.append(Section(title))
        return self.sections[-1]


TEMPLATE = Report(sections=[Section("Chemistry", ["serum, photometric"]), Section("Haematology")])
PLACES = {"K": "Chemistry", "NA": "Chemistry", "HB": "Haematology", "INR": "Coagulation"}
CRITICAL = {"K": 6.2, "NA": 160.0, "INR": 5.0}


class ReportNode(GraphBusNode):
    @subscribe("/Lab/OrderComplete")
    def on_complete(self, patient: str, analytes: list[str], values: list[float]) -> dict[str, object]:
        report = deepcopy(TEMPLATE)
        report.patient = patient
        for analyte, value in zip(analytes, values):
            mark = ""
            if value >= CRITICAL.get(analyte, float("inf")):
                report.critical += 1
                mark = " !!"
            report.section(PLACES.get(analyte, "Other")).lines.append(f"{analyte} {value:g}{mark}")
        report.sections = [section for section in report.sections if section.lines]
        return asdict(report)
