from harbour import Harbour, TideTable

table, harbour = TideTable(), Harbour()
for hour in range(0, 13, 4):
    tide = table.at(hour)
    print(hour, *harbour.admit(water_over_datum=tide["tide_m"])["admitted"])
