from election import Counting, Seats

result = Counting().district(3)
result["votes"] -= result["spoiled"]
print(Seats().share(valid=result["votes"], ours=result["ours"])["percent"])
