from tides.series import Series


def load(text: str) -> Series:
    series = Series()
    for row in text.splitlines():
        time, level = row.split(",")
        series.add(float(time), float(level))
    return series
