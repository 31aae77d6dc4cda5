from hospital import Surgeon, Ward

w = Ward().admit(bed=1)
print(Surgeon().mend(toy=w["patient"], damage="hole")["note"])
