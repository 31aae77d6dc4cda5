from album.nodes import Album, Camera

print(Album().add(image=Camera().snap(4)["picture"])["page"])
