def board_line(gauge):
    return f"{gauge.name}: {gauge.level():.2f} m"
