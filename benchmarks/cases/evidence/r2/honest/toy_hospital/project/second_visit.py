from hospital import Surgeon, Ward

w = Ward().admit(bed=2)
print(Surgeon().mend(toy="doll", damage=w["complaint"])["note"])
