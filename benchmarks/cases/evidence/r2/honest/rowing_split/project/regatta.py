from rowing import Coach, Stopwatch

for boat in ("red", "blue"):
    lap = Stopwatch().lap(boat)
    print(boat, round(Coach().pace(seconds=lap["seconds"], strokes=lap["strokes"])["per_minute"], 1))
