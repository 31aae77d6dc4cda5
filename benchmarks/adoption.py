"""Any Python project in one command: what `graphbus infer` reads right, misses and gets wrong, on ten public projects.

    python benchmarks/adoption.py --data FOLDER [--only TEXT]
    GRAPHBUS_PUBLIC=/folder python benchmarks/adoption.py [--only TEXT] [--show] [--list] [--newcomer]

The folder holds each project as `owner+name` (`git archive` of the commit below). Nothing of theirs is run or kept.

- labels: functions that a person read before the inference was written.
- quiet: findings on the projects as they are. `adoption_cases/read.txt` says of each, after reading the code, whether
  it is true; one that is not there counts as false.
- breaks: ten a project, each of which breaks somebody in it; found is one new finding.
- data (alone): foreign projects beside the type checker; `adoption_cases/foreign.py` names them by commit.
- newcomer (alone, it installs): from an empty environment to the first true finding, in three of the projects.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.adoption_cases.breaks import breaks
from benchmarks.adoption_cases.foreign import check_foreign
from benchmarks.adoption_cases.labels import Label, judge, labels
from benchmarks.adoption_cases.newcomer import check_newcomer
from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.findings import Level
from graphbus_core.inference import InferredProject, infer
from graphbus_core.inference.checks import UseChecker
from graphbus_core.inference.signatures import Signatures

FOLDER = "GRAPHBUS_PUBLIC"
READ = Path(__file__).parent / "adoption_cases" / "read.txt"
RIGHT, FOUND, LIKELY_EACH, TIME_S = 0.85, 0.70, 1, 10.0


@dataclass(frozen=True)
class Public:
    """One project. `commit` is what was labelled."""

    repository: str
    commit: str
    style: str

    @property
    def place(self) -> Path:
        """Where it is read."""
        return Path(os.environ[FOLDER]) / self.repository.replace("/", "+")


PROJECTS = (
    Public("cosmicpython/code", "14c84797ffa77255d53cf1a02fe6aafda2b68aeb", "commands and events"),
    Public("nsidnev/fastapi-realworld-example-app", "029eb7781c60d5f563ee8990a0cbfb79b244538c", "a service"),
    Public("jhao104/proxy_pool", "0e40a7ca2d4ff7cdf5c89e599f6543b39438c3e2", "a scraper's services, untyped"),
    Public("codelucas/newspaper", "1618b547f31c2d1fd19ae3b6afd8f7542dd02074", "a scraper, untyped"),
    Public("mara/mara-pipelines", "6c8ae5efc31ff49c61abb0cb8502e02f68a8276f", "a pipeline of nodes"),
    Public("jertel/elastalert2", "1d88bb0e2c28b16582ccd29cc12741659d5abe2c", "a pipeline of dicts"),
    Public("simonw/llm", "f3f4f29c6e5e623c3776cbf6455dda2345638214", "a plugin system"),
    Public("lemon24/reader", "fb77ceee44f606b702b454e310b2366fa53d3743", "a library with plugins, typed"),
    Public("cookiecutter/cookiecutter", "c88fbe921c97c58b65f1883ba90a0ab53cc91b34", "functions"),
    Public("pypa/twine", "f536ac5d0c77a24a997854328e64644f576b4992", "a command-line tool, typed"),
)


def _chosen(only: str) -> list[Public]:
    return [one for one in PROJECTS if only in one.repository]


def check_labels(only: str, show: bool) -> bool:
    """The labelled functions, project by project."""
    total: Counter[str] = Counter()
    print("\nlabels: contracts that a person read first")
    for project in _chosen(only):
        signatures = Signatures(ProjectAnalysis(project.place))
        own: list[tuple[Label, str, str]] = []
        for label in labels():
            if label.project == project.repository:
                own.append((label, *judge(label, signatures.find(label.path, label.name))))
        counts = Counter(verdict for _, verdict, _ in own)
        total.update(counts)
        print(f"  {project.repository:<40} " + "  ".join(f"{v} {n}" for v, n in sorted(counts.items())))
        for label, verdict, why in own:
            if show and verdict != "right":
                print(f"      {verdict}: {label.name}: {why}")
    share = total["right"] / max(1, total.total())
    met = share >= RIGHT and not total["wrong at certain"]
    print(f"  right: {share:.0%} of {total.total()}   goal ≥ {RIGHT:.0%}")
    print(f"  wrong at certain: {total['wrong at certain']}   goal 0   {'ok' if met else 'SHORT'}")
    return met


def check_quiet(only: str, show: bool) -> bool:
    """The findings on the projects as they are."""
    true = {line.partition(" | ")[0] for line in READ.read_text(encoding="utf-8").splitlines() if " | true" in line}
    met = True
    print("\nquiet: findings on the projects as they are (true: somebody read the code and agrees)")
    for project in _chosen(only):
        began = time.process_time()
        found = infer(project.place)
        spent = time.process_time() - began
        false = [f for f in found.findings if _key(project, f) not in true]
        sure = [f for f in false if f.level is Level.ERROR]
        fine = not sure and len(false) - len(sure) <= LIKELY_EACH and spent <= TIME_S
        met &= fine
        print(
            f"  {project.repository:<40} {found.files:>4} files  {len(found.components):>4} components  "
            f"{len(found.links):>5} links   true {len(found.findings) - len(false)}   false: sure {len(sure)}, likely "
            f"{len(false) - len(sure)}   {spent:.1f} s   {'ok' if fine else 'SHORT'}"
        )
        for one in false if show else ():
            print(f"      {_key(project, one)} | {one.place}: {one.message}")
    return met


def _key(project: Public, finding: object) -> str:
    return f"{project.repository} {finding.code} {finding.file} {finding.subject}"  # type: ignore[attr-defined]


def check_payloads(only: str, show: bool) -> bool:
    """What the projects' own tests send, against the contracts that were inferred without reading them."""
    total: Counter[str] = Counter()
    print("\npayloads: calls of the projects' own tests, against contracts that know nothing of the tests")
    for project in _chosen(only):
        read = ProjectAnalysis(project.place)
        texts, uses = read.texts, UseChecker(Signatures(read))
        tests = [p for p in texts.paths if p.endswith(".py") and texts.is_test(p)]
        told = [
            f for path in tests for f in uses.check_file(path) if f.related and not texts.is_test(f.related[0].file)
        ]
        own = Counter(sent=sum(n for path, n in uses.sent.items() if not texts.is_test(path)))
        own["contradicts a hint"] = sum(f.code == "GB504" for f in told)
        own["refused"] = sum(f.code == "GB503" for f in told)
        total += own
        print(f"  {project.repository:<40} " + "  ".join(f"{word} {number}" for word, number in own.items()))
        for one in told if show else ():
            print(f"      {one.place}: {one.message}")
    met = not total["refused"]
    print(f"  sent {total['sent']}, refused {total['refused']}   goal 0   {'ok' if met else 'SHORT'}")
    print(f"  tests that send another type than their author's own hint says: {total['contradicts a hint']}")
    return met


def check_breaks(only: str, show: bool, seed: str = "") -> bool:
    """The breaks that are put in."""
    kinds: Counter[tuple[str, bool]] = Counter()
    print("\nbreaks: put in one at a time; found is one new finding")
    for project in _chosen(only):
        texts = ProjectAnalysis(project.place).texts
        paths = [p for p in texts.paths if p.endswith(".py") and not texts.is_test(p)]
        before = _fingerprints(infer(project.place, links=False))
        told: list[str] = []
        own: Counter[bool] = Counter()
        for one in breaks(project.place, paths, project.repository + seed):
            after = _fingerprints(infer(project.place, over={one.path: one.text}, links=False))
            found = bool(after - before)
            own[found] += 1
            kinds[one.kind, found] += 1
            if not found:
                told.append(f"      unseen: {one.kind}: {one.what}")
        print(f"  {project.repository:<40} found {own[True]:>2} of {own.total():>2}")
        for line in told if show else ():
            print(line)
    for kind in sorted({kind for kind, _ in kinds}):
        print(f"  {kind:<20} {kinds[kind, True]:>3} of {kinds[kind, True] + kinds[kind, False]:>3}")
    number = sum(n for (_, found), n in kinds.items() if found)
    share = number / max(1, kinds.total())
    print(f"  found: {share:.0%} of {kinds.total()}   goal ≥ {FOUND:.0%}   {'ok' if share >= FOUND else 'SHORT'}")
    return share >= FOUND


def _fingerprints(found: InferredProject) -> set[str]:
    return {one.fingerprint for one in found.findings}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts; 1 where a goal is missed, 2 where the projects are not there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("labels", "quiet", "payloads", "breaks"), help="one part")
    parser.add_argument("--only", default="", help="projects whose name holds this text")
    parser.add_argument("--show", action="store_true", help="say why, case by case")
    parser.add_argument("--list", action="store_true", help="the projects, with their commits")
    parser.add_argument("--newcomer", action="store_true", help="seconds from an install to the first true finding")
    parser.add_argument("--data", type=Path, help="a folder of foreign projects: lines, flow, time and memory of each")
    given = parser.parse_args(arguments)
    if given.data is not None:
        return 0 if check_foreign(given.data.resolve(), given.only) else 1
    if given.list:
        print("\n".join(f"{one.repository}@{one.commit}   {one.style}" for one in PROJECTS))
        return 0
    absent = [one.repository for one in PROJECTS if FOLDER not in os.environ or not one.place.is_dir()]
    if absent:
        print(f"NOT RUN: set {FOLDER} to a folder that holds {', '.join(absent)} (`--list` names the commits).")
        return 2
    if given.newcomer:
        return 0 if check_newcomer(Path(os.environ[FOLDER])) else 1
    parts = {"labels": check_labels, "quiet": check_quiet, "payloads": check_payloads, "breaks": check_breaks}
    met = [part(given.only, given.show) for name, part in parts.items() if given.part in (None, name)]
    print("\nEvery goal is met." if all(met) else "\nA goal is MISSED.")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
