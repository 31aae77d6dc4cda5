from tram import Screen, Tram

d = Tram().next("Zoo")
print(Screen().show(line=d.get("line"), gleis=d.get("platform"))["text"])
