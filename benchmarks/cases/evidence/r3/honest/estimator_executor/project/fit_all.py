from concurrent.futures import ThreadPoolExecutor

from ensemble import Ensemble
from registry import Registry

registry, ensemble = Registry(), Ensemble()

with ThreadPoolExecutor(2) as pool:
    waiting = {}
    for task in ("class", "number"):
        picked = registry.pick(task)
        waiting[task] = pool.submit(ensemble.build, base_estimator=picked["estimator"])
    for task, future in waiting.items():
        print(task, future.result()["members"])
