from parking import Camera, Till

camera = Camera()
first = camera.pass_by("AB")
second = camera.pass_by("AB")
print(Till().due(entered=first["at"], left=second["at"])["cents"])
