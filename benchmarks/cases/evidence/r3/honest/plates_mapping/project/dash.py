from camera import Camera

lanes = {}
for frame in ("ag 1@1", "ag 2@1", "so 9@3"):
    shot = Camera().snap(frame)
    lanes.setdefault(shot["lane"], []).append(shot["plateNo"])
print(lanes)
