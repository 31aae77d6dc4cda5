def show(audit):
    return ["%d %s %s" % entry for entry in audit.entries()]
