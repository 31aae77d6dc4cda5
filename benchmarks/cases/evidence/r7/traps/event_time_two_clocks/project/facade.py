from audit import Audit
from camera import Camera


class Watch:
    def __init__(self):
        self.camera, self.audit = Camera(), Audit()

    def once(self, id):
        seen = self.camera.detect(id)
        return self.audit.record(seen["captured"], seen["id"])


if __name__ == "__main__":
    print(Watch().once("m-8"))
