from batch import Archive, Norm, Start

started = Start().begin()
scaled = Norm().scale(xs=started["xs"])
print(Archive().keep(run_id=started["run_id"], xs=scaled["xs"])["path"])
