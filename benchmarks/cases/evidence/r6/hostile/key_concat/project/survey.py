from collections import Counter

from graphbus_core import GraphBusNode, schema_method

ANSWERS = {"Q1": [10, 9, 9, 8, 3, 10, 7, 10], "Q2": [1, 2, 10, 10]}


def group(answer):
    return "good" if answer >= 9 else "bad" if answer <= 6 else "even"


class Survey(GraphBusNode):
    @schema_method(
        input_schema={"quarter": str},
        output_schema={"quarter": str, "score_nps": int, "score_mean": float},
    )
    def results(self, quarter):
        answers = ANSWERS[quarter]
        groups = Counter(map(group, answers))
        return dict(
            quarter=quarter,
            score_nps=round(100 * (groups["good"] - groups["bad"]) / len(answers)),
            score_mean=sum(answers) / len(answers),
        )
