from photo import Camera, Lab


def develop_one():
    shot = Camera().shot()
    iso, exposure = shot.iso, shot.exposure_ms
    return iso, Lab().develop(exposure=exposure)["exif"]


if __name__ == "__main__":
    print(*develop_one())
