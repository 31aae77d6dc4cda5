from export import export

books = [{"title": f"Part {n}", "author": "King"} for n in range(25)]
lines = export(books, "king").splitlines()
assert len(lines) == 26, len(lines)
