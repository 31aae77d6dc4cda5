from ids import PatientId
from ward import Ward

print(Ward().bed(patient=PatientId("M-1"))["label"])
