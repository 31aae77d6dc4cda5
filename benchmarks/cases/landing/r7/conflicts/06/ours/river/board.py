def board_line(gauge):
    return f"{gauge.name}: {gauge.level() / 100:.2f} m"
