"""People leave or fall ill: find others for their shifts."""


def hand_over(rota, person, substitutes):
    """Take the person off the rota.

    `substitutes` maps shifts to those who step in; the other shifts of the
    person become open. Returns those.
    """
    left_open = []
    for shift in rota.shifts_of(person):
        substitute = substitutes.get(shift)
        if substitute == person:
            raise ValueError("%s cannot stand in for themselves" % person)
        rota.assign(shift, substitute)
        if substitute is None:
            left_open.append(shift)
    return left_open
