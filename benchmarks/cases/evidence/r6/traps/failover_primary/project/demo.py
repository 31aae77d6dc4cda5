import asyncio

from cluster import Cluster, Migration, Node

print(asyncio.run(Cluster((Node("one", 0.0, 1),)).probe()))
print(asyncio.run(Migration().apply("db-a")))
