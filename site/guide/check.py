# python3 check.py PROBLEM CERTIFICATE: do its values prove what it claims? For finite, l1 and interval sets.
import array, base64, json, sys
from fractions import Fraction as F
problem, claim = json.load(open(sys.argv[1], encoding="utf8"), parse_float=F, parse_int=F), json.load(open(sys.argv[2], encoding="utf8"))
states, actions, start, gamma, u, v = *map(problem.get, ["states", "actions", "initial", "discount", "uncertainty"]), claim["values"]
if problem.get("end") or gamma == 1: sys.exit("NOT PROVED: episodes that end are not read here")
place = lambda names, x: names.index(x) if isinstance(x, str) else int(x)
def rows(t, whole=True):  # {(s, a): {next: probability}}; sums that rounding has left off 1 are divided out
    found, dense = {}, [] if isinstance(t, dict) else [(s, a, n, p) for s, x in enumerate(t) for a, r in enumerate(x) if r for n, p in enumerate(r)]
    for s, a, n, p in dense or t["entries"]: found.setdefault((place(states, s), place(actions, a)), {})[place(states, n)] = p
    return {at: {n: p / sum(r.values()) if whole else p for n, p in r.items()} for at, r in found.items()}
row = rows(u["kernels"][v["kernel"]]["transitions"] if u["kind"] == "finite" else u[{"l1": "nominal", "interval": "upper"}[u["kind"]]], u["kind"] != "interval")
least = rows(u["lower"], False) if u["kind"] == "interval" else row
def nature(s, a, z):  # the row of the set that makes z as large as it can be, on average
    up, p = sorted(z, key=z.get), {n: least.get((s, a), {}).get(n, F(0)) for n in z}
    if u["kind"] == "l1":  # half the radius, or what there is, goes from the least to the largest
        p[up[-1]] += (move := min((u["radius"][s][a] if isinstance(u["radius"], list) else u["radius"]) / 2, 1 - p[up[-1]]))
        for n in up: p[n], move = p[n] - min(p[n], move), move - min(p[n], move)
    if u["kind"] == "interval":  # the lower ends are filled up, the largest first
        for n in reversed(up): p[n] += min(row[s, a][n] - p[n], 1 - sum(p.values()))
    return p
costs = [(c, -1 if c.get("sense") == "maximize" or "atLeast" in c else 1) for c in [problem["objective"], *problem.get("constraints", [])]]
weight = [F(claim["target"] is not None), *map(F, v["prices"])]  # of each cost; all are minimised, whatever the document says
V = [F(x) + F(y) for x, y in zip(v.get("values") or array.array("d", base64.b64decode(v["column"])), v.get("low") or [0] * len(states), strict=True)]
ahead, todo = [], [s for s, p in enumerate(start) if p]
for s in todo:  # every state that can be reached: those that are found are appended
    for a in [a for t, a in row if t == s]:
        now = [(w * sign, c["values"][s][a]) for w, (c, sign) in zip(weight, costs, strict=True)]
        z = {n: sum(w * (x[n] if isinstance(x, list) else x) for w, x in now) + gamma * V[n] for n in (range(len(states)) if u.get("support") == "all" else row[s, a])}
        ahead.append(sum(p * z[n] for n, p in nature(s, a, z).items()) - V[s])  # Q(s, a) - V(s)
        todo += [n for n, p in nature(s, a, z).items() if p and n not in todo]
limits = [sign * c.get("atMost", c.get("atLeast")) / (1 - gamma if c.get("scale") == "average" else 1) + F(claim["relax"]) for c, sign in costs[1:]]
bound = sum(p * x for p, x in zip(start, V)) / sum(start) + min(ahead) / (1 - gamma) - sum(w * (b + F(x)) for w, b, x in zip(weight[1:], limits, claim.get("allow") or [0] * len(limits), strict=True))
holds = min(weight) >= 0 and (bound > 0 if claim["target"] is None else bound >= F(claim["target"]))
sys.exit(print("proved" if holds else "NOT PROVED", "the values give", float(bound), "and the claim is", claim["target"]) or not holds)
