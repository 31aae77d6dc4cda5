from camera import Camera
from register import Register


def feed(register, frames):
    camera = Camera()
    for frame in frames:
        shot = camera.snap(frame)
        register.on_plate({"plate_no": shot["plateNo"]})
    return register


print(feed(Register(), ["zh 12@1", "be 7@2", "zh 12@2"]).seen)
