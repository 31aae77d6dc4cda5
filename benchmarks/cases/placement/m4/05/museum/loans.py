from graphbus_core import GraphBusNode, subscribe

from .catalogue import blank_form, climate_rules, get, loan_form


class LoanDesk(GraphBusNode):
    @subscribe("/museum/loan/request")
    def on_request(self, inv: str, borrower: str) -> dict:
        obj = get(inv)
        form = loan_form()
        form["borrower"] = borrower
        form["object"] = obj["title"]
        if obj["value"] > 100_000:
            form["terms"]["conditions"].append(f"state indemnity for {obj['title']}")
        return form


class CourierBriefing(GraphBusNode):
    @subscribe("/museum/loan/courier")
    def on_courier(self, inv: str, days: int) -> dict:
        obj = get(inv)
        form = blank_form()
        rules = climate_rules(obj["material"])
        rules += [f"report every {max(1, days // 3)} days"]
        form["terms"]["conditions"] += rules
        form["terms"]["days"] = days
        return form["terms"]
