from operator import attrgetter
import hub
def show():
    return attrgetter("STATE.total")(hub)
