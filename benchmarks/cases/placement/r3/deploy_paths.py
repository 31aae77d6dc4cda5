# stateful
"""A deployment script as an agent: steps come one after the other."""
import os

from graphbus_core import GraphBusNode, subscribe


class DeploySteps(GraphBusNode):
    @subscribe("/Deploy/Step")
    async def on_step(self, payload):
        verb, _, argument = payload["step"].partition(" ")
        handler = getattr(self, f"step_{verb}", None)
        if handler is None:
            self.publish("/Deploy/Unknown", {"verb": verb})
            return
        await handler(argument)

    async def step_enter(self, folder):
        if os.path.isdir(folder):
            os.chdir(folder)

    async def step_copy(self, name):
        self.publish("/Deploy/Copy", {"target": os.path.abspath(name)})
