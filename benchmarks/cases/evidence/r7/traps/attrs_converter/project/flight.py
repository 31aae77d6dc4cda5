import attrs


def metres(feet):
    return feet * 0.3048


@attrs.frozen
class Fix:
    height: float = attrs.field(converter=metres)
