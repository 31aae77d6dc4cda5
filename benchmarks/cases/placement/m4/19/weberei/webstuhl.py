from graphbus_core import GraphBusNode, subscribe

from .vorgaben import leinen, seide


class LeinenStuhl(GraphBusNode):
    """Dauer eines Auftrags auf dem Leinenstuhl."""

    @subscribe("/weberei/leinen")
    def auftrag(self, meter: float, besonderes: dict) -> dict:
        einstellung = leinen
        einstellung.update(besonderes)
        schuss = meter * 100 * einstellung["schuss_pro_cm"]
        return {"minuten": round(schuss / einstellung["drehzahl"], 1), "garn": einstellung["garn"]}


class SeidenStuhl(GraphBusNode):
    @subscribe("/weberei/seide")
    def auftrag(self, meter: float, besonderes: dict) -> dict:
        einstellung = seide.new_child()
        einstellung.update(besonderes)
        schuss = meter * 100 * einstellung["schuss_pro_cm"]
        return {"minuten": round(schuss / einstellung["drehzahl"], 1), "garn": einstellung["garn"]}
