def as_text(rota, shifts):
    return "\n".join("%-8s %s" % (shift, rota.who(shift) or "-") for shift in shifts)
