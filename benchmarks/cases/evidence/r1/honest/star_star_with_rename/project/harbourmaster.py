from harbour import Lock, Tide

row = Tide().table()
lock_args = {"hour": row["hour"], "level": row["height_m"]}
print(Lock().plan(**lock_args)["plan"])
