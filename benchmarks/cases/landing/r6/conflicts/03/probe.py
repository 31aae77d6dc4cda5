from customers_report import customers_report

assert customers_report([{"name": "Al", "city": "Bonn"}]) == "name,city\nAl,Bonn\n"
