from shell import Shell
s = Shell()
assert s.run('drop') == 'dropped a' or s.drop_all() == 1
