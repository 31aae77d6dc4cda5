from media.avatars import AvatarService
from media.settings import Settings
from media.uploads import MEGA, TooLarge

service = AvatarService(Settings())
assert service.change("kim", b"png") == 128
try:
    service.change("kim", bytes(20 * MEGA + 1))
except TooLarge:
    pass
else:
    raise SystemExit("no limit for avatars")
