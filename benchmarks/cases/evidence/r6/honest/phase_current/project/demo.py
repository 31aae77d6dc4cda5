from solis import FuseGuard, InverterApi

print(InverterApi().display())
print(FuseGuard().judge(1000.0))
