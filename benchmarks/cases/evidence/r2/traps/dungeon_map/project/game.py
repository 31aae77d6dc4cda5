from dungeon import Map, Sprite

for room in ("hall", "cell"):
    match Map().door(room):
        case {"row": a, "col": b} if a == b:
            at = Sprite().place(x=a, y=b)
        case {"row": a, "col": b}:
            at = Sprite().place(x=b, y=a)
    print(at["pixel"])
