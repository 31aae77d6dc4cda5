from graphbus_core import GraphBusNode, depends_on, schema_method


class Fitter(GraphBusNode):
    """Halves the loss with each epoch.

    >>> from schedule import Schedule
    >>> plan = Schedule().plan()
    >>> fitter = Fitter()
    >>> fitter.run(nb_epoch=plan["epochs"])
    {'loss': [1.0, 0.5, 0.25]}
    """

    @depends_on("Schedule.plan")
    @schema_method(input_schema={"nb_epoch": int}, output_schema={"loss": list[float]})
    def run(self, nb_epoch):
        return {"loss": [0.5**i for i in range(nb_epoch)]}
