from launcher import Cluster, Runner


class Job:
    def __init__(self, cluster: Cluster):
        offer = cluster.offer()
        self.devices = offer["devices"]

    def start(self, runner: Runner) -> str:
        return runner.launch(gpus=self.devices)["cmd"]


if __name__ == "__main__":
    print(Job(Cluster()).start(Runner()))
