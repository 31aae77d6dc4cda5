from apps import AppRegistry, Deployer

print(AppRegistry().entry(0))
print(Deployer().deploy("demo-1", "ap"))
