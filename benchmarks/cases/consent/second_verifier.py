"""A second verifier of consent documents, from docs/consent.md alone: python second_verifier.py SCENARIO.yaml DECISION.md"""
import itertools, json, math, re, sys, yaml
from fractions import Fraction as F
wrong, ratios = [], ("nash", "egalitarian", "utilitarian")
def check(holds, sentence): return bool(holds or sentence not in wrong and wrong.append(sentence))
def fail(sentence): raise ValueError(sentence)
def text(v): return ("no", "yes")[v] if isinstance(v, bool) else repr(float(v)) if isinstance(v, (float, F)) and v % 1 else str(v).removesuffix(".0")
def num(v): return F(str(v))
def opts(v): return [text(o) for o in (v if isinstance(v, list) else [v])]
def said(v, true): return type(v) in (int, float) and abs(F(v) - true) <= F(2, 10**9) + abs(true) / 10**12
def options(issue):  # option: what it means
    if isinstance(issue, dict) and "min" in issue:
        low, high, step = (num(issue.get(k, 1)) for k in ("min", "max", "step"))
        issue = [low + n * step for n in range(int((high - low) / step + F(1, 10**9)) + 1)]
    issue = issue["options"] if isinstance(issue, dict) else issue
    return {text(o): issue[o] if isinstance(issue, dict) else "" for o in issue}
def table(i, points, weight=1):  # a straight line runs from the first to the last number of the range
    if not {"from", "to"} & set(points): return {text(o): num(p) * weight for o, p in points.items()}
    ns, a, b = [num(o) for o in issues[i]], num(points.get("from", 0)), num(points.get("to", 0))
    return {text(n): weight * (a + (b - a) * (n - ns[0]) / ((ns[-1] - ns[0]) or 1)) for n in ns}
def true_of(p, when): return all(p[i] in o for i, o in when.items())
def scoring(s):  # an advocate's totals over all packages; weights do not multiply conditional scores
    parts = [({}, i, table(i, t, num(s.get("weights", {}).get(i, 1)))) for i, t in s.get("scores", {}).items()]
    for c, when in ((c, {i: opts(o) for i, o in c["when"].items()}) for c in s.get("conditional_scores", [])):
        parts += [(when, i, table(i, t)) for i, t in c.get("scores", {}).items()] + [(when, None, {None: num(c.get("score", 0))})]
    return [sum((t.get(p.get(i), F(0)) for w, i, t in parts if true_of(p, w)), F(0)) for p in packages]
def red_lines(a, s):  # owner, rule as in the record, its text, how far each package crosses it, what a unit costs
    if "minimum" in s:
        yield (a, {"minimum": s["minimum"]}, "a total below its minimum", [max(F(0), num(s["minimum"]) - t) for t in score[a]],
               num(s.get("relax_minimum_cost", 1 / ((max(score[a]) - min(score[a])) or 1))))
    for r in s.get("red_lines", []):
        of, lo, hi = (opts(r["limit"]["of"]), r["limit"].get("at_least"), r["limit"].get("at_most")) if "limit" in r else ([], None, None)
        rule = {"limit": of, "at_least": lo, "at_most": hi} if of else {"forbid": {i: opts(o) for i, o in r["forbid"].items()}}
        sums = [sum(num(p[i]) for i in of) for p in packages]
        far = [max(F(0), n - num(n if hi is None else hi), num(n if lo is None else lo) - n) if of else F(true_of(p, rule["forbid"])) for p, n in zip(packages, sums)]
        yield a, rule, r.get("text"), far, num(r.get("cost", F(1, (max(sums) - min(sums)) or 1)))
def place(p, what): return packages.index(p) if p in packages else fail(f"{what} {p} is not one option of the scenario for every issue.")
def kept(group, at, but=()): return not any(l[3][at] for n, l in enumerate(lines) if l[0] in group and n not in but)
def find(e):
    return ([n for n, l in enumerate(lines) if l[:2] == (e["advocate"], e["rule"]) and l[2] in (None, e["red_line"])]
            or fail(f"The scenario has no red line of {e['advocate']} {e['red_line']!r} {e['rule']}."))[0]
def certificate(r):
    at, group = place(r["agreement"], "The agreement"), r["advocates"] + r.get("stood_aside", [])
    check(any(g <= set(group) for g in groups) and len(set(group)) == len(group) and (size == len(people) or len(r["advocates"]) >= size), "`advocates` could not decide.")
    check({v["advocate"] for v in r["attested"]["votes"] if v["vote"] == "consent"} == set(r["advocates"]), "The votes are not those of `advocates`.")
    check(set(r["scores"]) == set(r["minimums"]) == set(people) >= set(group), "Scores or minimums of others than the scenario's advocates.")
    least = {a: num(s.get("minimum", min(score[a]))) for a, s in people.items()}
    for a in people:
        check(said(r["minimums"].get(a), least[a]), f"{a}'s minimum is {float(least[a]):g}, not {r['minimums'].get(a)!r}.")
        check(said(r["scores"].get(a), score[a][at]), f"{a}'s score is {float(score[a][at]):g}, not {r['scores'].get(a)!r}.")
    crossed = [(l[0], l[1]) for l in lines if l[0] in group and l[3][at]]
    check(r["red_lines_crossed"] == crossed == [], f"Red lines crossed: {crossed}, not {r['red_lines_crossed']}.")
    surplus = [[score[a][p] - least[a] for a in group] for p in range(len(packages))]
    possible = [p for p in range(len(packages)) if kept(group, p)] or [at]
    for name, f in zip(ratios, (lambda p: math.prod(surplus[p]), lambda p: min(surplus[p]), lambda p: sum(score[a][p] for a in group))):
        best, named = max(map(f, possible)), place(r[name]["best_agreement"], f"{name}, best agreement:")
        for k, true in ("value", f(at)), ("best", best), ("ratio", f(at) / best if best > 0 else F(f(at) == best)): check(said(r[name][k], true), f"{name}: {k} is {float(true):.10g}, not {r[name][k]}.")
        check(named in possible and f(named) == best, f"{name}: the best agreement named is not the best possible.")
    better = [p for p in possible if surplus[p] != surplus[at] and all(map(F.__ge__, surplus[p], surplus[at]))]
    check(r["pareto_efficient"] is (not better) is (r["better"] is None), f"Pareto-efficient is {not better}, not {r['pareto_efficient']}.")
    for b in [place(r["better"]["agreement"], "The better deal")] if r["better"] else []:
        check(b in better and all(said(r["better"]["scores"].get(a), score[a][b]) for a in people), "`better` does not hold.")
def deadlock(r, group):
    (ids, steps), every = ([find(e) for e in x] for x in (r["conflict"], r["relaxation"]["steps"])), range(len(packages))
    clash = lambda some: all(any(lines[n][3][p] for n in some) for p in every)
    check(clash(ids), "A package keeps all the red lines named.")
    fewer = itertools.combinations([n for n, l in enumerate(lines) if l[0] in group], len(ids) - 1)
    check(not any(map(clash, fewer)), "A smaller set of red lines cannot hold together either.")
    cost = lambda p: (lambda c: (len(c), sum(c)))([l[3][p] * l[4] for l in lines if l[0] in group and l[3][p]])
    at, least = place(r["relaxation"]["agreement"], "The relaxation's deal"), min(map(cost, every))
    check({lines[n][0] for n in ids + steps} <= set(group) and kept(group, at, steps), "The relaxation's deal crosses a red line that does not give way.")
    for n, e in zip(steps, r["relaxation"]["steps"]): check(said(e["by"], lines[n][3][at]) and said(e["cost"], lines[n][3][at] * lines[n][4]), f"`by` or `cost` of {words(e)} does not hold.")
    check(cost(at) == least and len(steps) == least[0] and said(r["relaxation"]["cost"], least[1]), f"The cheapest relaxation is {least[0]} red lines at {float(least[1]):g}.")
def words(e): return f"{e['advocate']}: " + (f"a total of at least {e['rule']['minimum']:g}" if "minimum" in e["rule"] else e["red_line"])
def shown(r):  # the lines that people read, from the record; … stands for any words
    deal = lambda p: [f"{i}: {o}" for i, o in p.items()]
    if r["kind"] == "deadlock":
        yield "The cheapest relaxation: " + "; ".join(f"{words(e)}, by {round(e['by'], 2):g}" for e in r["relaxation"]["steps"]) + ". Then this is possible:"
        yield from ["- " + l for l in [*map(words, r["conflict"]), *deal(r["relaxation"]["agreement"])]]
    if r["kind"] == "certificate":
        yield from [f"| {i}… | {o} | {issues[i][o]} |" for i, o in r["agreement"].items()] + [f"| {a} | {r['scores'][a]:g} | {r['minimums'][a]:g} |" for a in people]
        yield from [f"- {w} ratio {r[k]['ratio']:.3f} of the best possible." for w, k in zip(("Nash", "Egalitarian", "Welfare"), ratios)]
        yield "- Not Pareto-efficient…: " + ", ".join(deal(r["better"]["agreement"])) + "." if r["better"] else "- Pareto-efficient…gain without another losing."
scenario, page = yaml.safe_load(open(sys.argv[1])), open(sys.argv[2]).read().split("\n```json consent-record\n")
issues, people = {text(i): options(o) for i, o in scenario["issues"].items()}, scenario["advocates"]
packages = [dict(zip(issues, p)) for p in itertools.product(*issues.values())]
score = {a: scoring(s) for a, s in people.items()}
lines = [l for a, s in people.items() for l in red_lines(a, s)]
veto, size = {a for a in people if people[a].get("veto")}, len(people) if scenario.get("quorum", "all") == "all" else scenario["quorum"]
groups = [set(g) for g in itertools.combinations(people, max(size, len(veto))) if veto <= set(g)]
once = lambda ps: dict(ps) if check(len(dict(ps)) == len(ps), "A key stands twice in one object of the record.") else dict(ps)
try:
    r = json.loads((page if len(page) == 2 else fail("The page has not exactly one record."))[1].split("\n```\n")[0], object_pairs_hook=once, parse_constant=lambda c: fail(f"{c} is no number in JSON."))
    if r["kind"] == "certificate": certificate(r)
    elif r["kind"] == "possible": check(any(g <= set(r["advocates"]) for g in groups) and kept(r["advocates"], place(r["agreement"], "The deal")), "The possible deal crosses a red line, or its advocates could not decide.")
    else: check(groups in ([set(people)], [set(g["advocates"]) for g in r.get("groups", [])]) and r["kind"] == "deadlock", "Not a proof for all groups that could decide.")
    for g in [r, *r.get("groups", [])] if r["kind"] == "deadlock" else []: deadlock(g, g.get("advocates", people))
    for line in shown(r): check(re.search(f"^{re.escape(line).replace('…', '.*')}$", page[0], re.M), f"The page does not say as its record does: {line}")
except (ValueError, KeyError, TypeError, AttributeError) as e: check(False, str(e) if type(e) is ValueError else f"The record is not as a record is: {e!r}.")
sys.exit(print("\n".join(wrong) or f"All that the scenario can tell of this {r['kind']} holds.") or bool(wrong))
