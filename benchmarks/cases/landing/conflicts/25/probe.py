from ticket import fare
assert fare(['A', 'B'], 'A', 'Z') == 0
