PACKERS = {}


def packer(name):
    def keep(fn):
        PACKERS[name] = fn
        return fn
    return keep


@packer('tar')
def tar(files):
    return 'tar:' + '+'.join(files)


@packer('zip')
def zipped(files):
    return 'zip:' + '+'.join(files)
