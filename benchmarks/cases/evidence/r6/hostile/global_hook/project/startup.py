from functools import wraps

import glaze

PEAK = {"seen": 0.0}
FIELD = "celsius"


def watch(cls, name):
    inner = getattr(cls, name)

    @wraps(inner)
    def outer(self, **kwargs):
        PEAK["seen"] = max(PEAK["seen"], kwargs[FIELD])
        return inner(self, **kwargs)
    setattr(cls, name, outer)
    return cls


Glaze = watch(glaze.Glaze, "stage")
