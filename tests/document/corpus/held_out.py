"""Decisions on which the check was not tuned: with paraphrases, and with alterations, all by hand."""

from __future__ import annotations

DECISIONS: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [  # decision, honest paraphrases, alterations
    (
        "Invoices are archived for ten years.",
        ("We archive invoices for ten years.", "Every invoice stays in the archive for 10 years."),
        ("Invoices are archived for seven years.", "Invoices are archived for ten months."),
    ),
    (
        "The gateway drops requests larger than 2 MB.",
        ("Requests of more than 2 MB are dropped by the gateway.", "The gateway rejects any request larger than 2 MB."),
        (
            "The gateway drops requests larger than 20 MB.",
            "The gateway drops requests smaller than 2 MB.",
            "The gateway keeps requests larger than 2 MB.",
        ),
    ),
    (
        "Sessions end after 20 minutes without activity.",
        (
            "After 20 minutes without activity a session ends.",
            "A session expires after twenty minutes without activity.",
        ),
        ("Sessions end after 20 hours without activity.", "Sessions end after 20 minutes of activity."),
    ),
    (
        "Terraform manages all cloud resources; nobody edits them by hand.",
        (
            "All cloud resources are managed by Terraform, and nobody edits them by hand.",
            "Cloud resources are all under Terraform; they are never edited by hand.",
        ),
        (
            "Pulumi manages all cloud resources; nobody edits them by hand.",
            "Terraform manages some cloud resources; nobody edits them by hand.",
            "Terraform manages all cloud resources; everybody edits them by hand.",
            "Terraform manages all cloud resources.",
        ),
    ),
    (
        "We support Python 3.11 to 3.14 and drop 3.10.",
        (
            "Python 3.11 to 3.14 is supported; 3.10 is dropped.",
            "Support covers Python 3.11 to 3.14, and 3.10 is dropped.",
        ),
        ("We support Python 3.11 to 3.13 and drop 3.10.", "We support Ruby 3.11 to 3.14 and drop 3.10."),
    ),
    (
        "Emails are sent at most once per day and user.",
        ("Each user gets an email at most once per day.", "At most one email per day goes to a user."),
        (
            "Emails are sent at most twice per day and user.",
            "Emails are sent at least once per day and user.",
            "Emails are sent at most once per week and user.",
        ),
    ),
    (
        "The nightly job starts at 02:00 UTC.",
        ("At 02:00 UTC the nightly job starts.", "The nightly job is started at 02:00 UTC."),
        (
            "The nightly job starts at 03:00 UTC.",
            "The nightly job starts at 02:00 CET.",
            "The nightly job ends at 02:00 UTC.",
        ),
    ),
    (
        "Bob owns the search service, Carol the billing service.",
        (
            "Carol owns the billing service, Bob the search service.",
            "The search service belongs to Bob and the billing service to Carol.",
        ),
        (
            "Carol owns the search service, Bob the billing service.",
            "Bob owns the search service, Dave the billing service.",
        ),
    ),
    (
        "Images are resized to 800 pixels before upload.",
        (
            "Before the upload, images are resized to 800 pixels.",
            "We resize images to 800 pixels before they are uploaded.",
        ),
        ("Images are resized to 800 pixels after upload.", "Images are not resized to 800 pixels before upload."),
    ),
    (
        "A release needs green tests and a changelog entry.",
        (
            "For a release, tests must be green and there must be a changelog entry.",
            "Green tests and an entry in the changelog are needed for a release.",
        ),
        (
            "A release needs green tests or a changelog entry.",
            "A release needs no green tests and a changelog entry.",
            "A release needs green tests.",
        ),
    ),
]
