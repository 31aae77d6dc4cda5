from hr import Contracts, TaxOffice

contract = Contracts().find("E3")
if contract["period"] == "Y":
    print(contract["name"], TaxOffice().bracket(contract["gross"]))
