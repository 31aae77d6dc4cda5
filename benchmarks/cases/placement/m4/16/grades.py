from enum import Enum
import statistics


class Subject(Enum):
    MATHS = ("Maths", 3)
    LATIN = ("Latin", 2)
    SPORT = ("Sport", 1)

    def __init__(self, label, weight):
        self.label = label
        self.weight = weight
        self.marks = []

    def record(self, mark):
        self.marks.append(mark)
        return statistics.median(self.marks)


class Term(Enum):
    AUTUMN = 1
    SPRING = 2

    def blank_sheet(self):
        return dict.fromkeys((s.label for s in Subject), None)


COMMENTS = {1: "excellent", 2: "good", 3: "fair", 4: "sufficient", 5: "poor", 6: "fail"}
