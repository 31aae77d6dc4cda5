from dosing import DoseTable

t = DoseTable([(10.0, 50), (30.0, 150), (60.0, 300)])
t.add(20, 100)
assert t.dose(15) == 100, t.dose(15)
