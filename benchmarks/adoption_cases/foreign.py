"""Foreign projects at a commit: the checker's lines beside ours, the flow of frameworks, processor time and memory.

Each project runs in a process of its own, so that its memory is its own. Whether a line is true is not judged here.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path

FOREIGN = (
    ("nsidnev/fastapi-realworld-example-app", "029eb7781c60d5f563ee8990a0cbfb79b244538c"),
    ("fastapi/full-stack-fastapi-template", "68adb40d37425f6f8668ec7e5a054500d045e43e"),
    ("langchain-ai/open_deep_research", "408da442a661ea5e40a6163329f82e3f22628949"),
    ("testdrivenio/fastapi-celery", "191ff138701777838c363772253f73a276c16d68"),
    ("httpie/cli", "5b604c37c6c67e18e7c3e9aee6c88a8c22b98345"),
    ("beetbox/beets", "07f39c5204997a356fd98b7e88ba9b185efb2e66"),
)


def measure(place: Path) -> dict[str, object]:
    """The figures of one project, in this process."""
    from graphbus_core.analysis.files import ProjectFiles
    from graphbus_core.analysis.type_checker import find_engine
    from graphbus_core.inference import infer

    inferred = infer(place, types=True)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    texts = ProjectFiles(inferred.root)
    own = [path for path in texts.paths if path.endswith(".py") and not texts.is_test(path)]
    engine = find_engine(inferred.root)
    assert engine is not None, "this part needs a type checker: install the extra `types`"
    with engine:
        checker = [one for one in engine.find_diagnostics(inferred.root) if one.path in set(own)]
    codes = Counter((one.code, one.level.value) for one in inferred.findings)
    return {
        "lines": sum(texts.read_content(path).count(b"\n") for path in texts.paths),
        "checker": len(checker),
        "ours": len(inferred.findings),
        "sure": sum(number for (_, level), number in codes.items() if level == "error"),
        "of the checker": codes["GB506", "warning"],
        "read": len({(link.kind, link.places[0]) for link in inferred.links if link.kind}),
        "unread": len(inferred.unread),
        "processor s": round(sum(one.ru_utime + one.ru_stime for one in used), 1),
        "MB": round(used[0].ru_maxrss / 1024),
    }


def check_foreign(folder: Path, only: str) -> bool:
    """Print the table. Lines are a quarter of the checker's at most; the absent are named."""
    met = True
    for repository, commit in FOREIGN:
        place = folder / repository.replace("/", "+")
        if only not in repository:
            continue
        if not place.is_dir():
            print(f"  {repository}@{commit[:8]}: NOT RUN, it is not in {folder}")
            met = False
            continue
        command = [sys.executable, "-m", "benchmarks.adoption_cases.foreign", str(place)]
        root = Path(__file__).parent.parent.parent
        printed = subprocess.run(command, cwd=root, env=os.environ, capture_output=True, text=True, check=True)
        figures = json.loads(printed.stdout)
        print(f"  {repository}@{commit[:8]}: " + ", ".join(f"{name} {value}" for name, value in figures.items()))
        met &= figures["ours"] <= max(figures["checker"] / 4, 5)
    return met


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
