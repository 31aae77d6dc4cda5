from mailer.render import render


def reminder(customer, bill):
    subject = f"Bill {bill['no']}"
    return subject, render("reminder", customer, bill=bill["no"], due=bill["due"])
