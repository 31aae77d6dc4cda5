from jobs.invoices import InvoiceJob

job = InvoiceJob()
done = job.run([{"no": "R1", "amount": 50}, {"no": "R2", "amount": -1}])
assert (done, job.booked, len(job.errors)) == (1, {"R1": 50}, 1), (done, job.booked, job.errors)
