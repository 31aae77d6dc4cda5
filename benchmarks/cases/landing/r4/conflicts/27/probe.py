from invoices import Invoice, credit_note

assert credit_note(Invoice("R1").add("tea", 2, 450)).total == -900
