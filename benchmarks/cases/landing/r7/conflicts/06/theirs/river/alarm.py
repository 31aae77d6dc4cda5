WATCH, FLOOD = 2.5, 3.4


def stage(gauge):
    level = gauge.level()
    if level >= FLOOD:
        return "flood"
    if level >= WATCH:
        return "watch"
    return "normal"
