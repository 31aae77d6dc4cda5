from packers import PACKERS

PROFILES = {
    'daily': 'tar',
    'weekly': 'zip',
}


def backup(profile, files):
    return PACKERS[PROFILES[profile]](files)
