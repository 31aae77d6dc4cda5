from effect import Effect
from package import Package

found = Package().locate("Ks")
kwargs = dict(file_name=found["filename"])
print(Effect().load(**kwargs)["table"])
