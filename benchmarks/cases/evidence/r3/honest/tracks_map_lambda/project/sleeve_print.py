from music import Catalogue, Sleeve

catalogue, sleeve = Catalogue(), Sleeve()
tracks = map(catalogue.track, (1, 2, 3))
for line in map(lambda t: sleeve.line(label=t["title"]), tracks):
    print(line["text"])
