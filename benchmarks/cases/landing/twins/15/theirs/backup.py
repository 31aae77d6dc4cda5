from packers import PACKERS

PROFILES = {
    'daily': 'tar',
    'weekly': 'tar',
}


def backup(profile, files):
    return PACKERS[PROFILES[profile]](files)
