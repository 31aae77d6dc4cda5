from report import weekly

print(weekly("p: 0.5\nmethod: linear\nunit: ms"))
print(weekly("p: 0.9\nmethod: higher\nunit: ms"))
