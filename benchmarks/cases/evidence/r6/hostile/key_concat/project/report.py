from survey import ANSWERS, Survey

PREFIX = "score_"
for quarter in ANSWERS:
    results = Survey().results(quarter)
    line = [f"{short}={results[PREFIX + short]:g}" for short in ("nps", "mean")]
    print(quarter, *line)
