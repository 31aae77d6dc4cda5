from rules import Ad, Rules

v = Ad().view()
print([Rules().allow(age=v["age_years"], goods=g)["ok"] for g in ("beer", v["goods"])])
