from cli import count_line
assert count_line('Du') == '2 found'
