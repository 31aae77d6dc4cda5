from wood import Cutter, Register

row = Register().row()
args = dict(zip(("w", "len_"), (row[k] + 0 for k in sorted(row))))
print(Cutter().cut(**args))
