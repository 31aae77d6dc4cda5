from packers import PACKERS

PROFILES = {
    'daily': 'tar',
}


def backup(profile, files):
    return PACKERS[PROFILES[profile]](files)
