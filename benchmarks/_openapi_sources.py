"""Where the documents of `openapi.py` come from, and how its folder is laid out from clones.

    python benchmarks/_openapi_sources.py CLONES FOLDER

CLONES holds OWNER+NAME/repo, OWNER/NAME or NAME, bare or not, with their history. Nothing is fetched, and nothing of
them is kept here.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# Name, repository, path, commit.
DOCUMENTS = """
adyen Adyen/adyen-openapi json/CheckoutService-v72.json aa014f0cbd
apideck apideck-libraries/openapi-specs accounting.yml fc186f740c
asana Asana/openapi defs/asana_oas.yaml fc9f8dcf22
box box/box-openapi openapi.json c9a878a982
datadog DataDog/datadog-api-client-typescript .generator/schemas/v1/openapi.yaml a6d174205b
discord discord/discord-api-spec specs/openapi.json 74fda0fad0
figma figma/rest-api-spec openapi/openapi.yaml af94bebd8a
intercom intercom/Intercom-OpenAPI descriptions/2.16/api.intercom.io.yaml 8889625a7b
moby moby/moby api/swagger.yaml b985e2313a
netlify netlify/open-api swagger.yml 650803172c
openai openai/openai-openapi openapi.yaml f85dbe223d
ory ory/sdk spec/client/v1.22.65.json ab0b84fc69
pagerduty PagerDuty/api-schema reference/REST/openapiv3.json 91a06fb3c6
pinterest pinterest/api-description v5/openapi.yaml c05b189714
plaid plaid/plaid-openapi 2020-09-14.yml 26f1a0588c
qdrant qdrant/qdrant docs/redoc/v1.18.x/openapi.json 74f3e85b94
slack slackapi/slack-api-specs web-api/slack_web_openapi_v2.json bc08db4962
spotify sonallux/spotify-web-api official-spotify-open-api.yml a3369587d2
twilio twilio/twilio-oai spec/json/twilio_api_v2010.json d50069b44e
xero XeroAPI/Xero-OpenAPI xero_accounting.yaml e952d0bda3
"""
# Name, repository, path, the commit three months before the newest, the newest.
EDITIONS = """
asana Asana/openapi defs/asana_oas.yaml c038085 fc9f8dc
box box/box-openapi openapi.json 8668c95b c9a878a9
openai openai/openai-openapi openapi.yaml 5162af9 f85dbe2
pagerduty PagerDuty/api-schema reference/REST/openapiv3.json 7755019 2326e6b
plaid plaid/plaid-openapi 2020-09-14.yml 92814f5 5c2920e
"""
# Repositories of which every document is read; the last two hold the cases of another tool, too.
READ = """
Adyen/adyen-openapi Asana/openapi OAI/OpenAPI-Specification PagerDuty/api-schema asyncapi/spec box/box-openapi
digitalocean/openapi discord/discord-api-spec openai/openai-openapi plaid/plaid-openapi readmeio/oas-examples
slackapi/slack-api-specs stripe/openapi twilio/twilio-oai OpenAPITools/openapi-diff oasdiff/oasdiff
"""


WANTED = (".json", ".yaml", ".yml", "_test.go", "rules.go", "Test.java")  # documents, and what the suites expect


def find_clone(clones: Path, repository: str) -> Path:
    owner, _, name = repository.partition("/")
    places = [clones / f"{owner}+{name}" / "repo", clones / owner / name, clones / name]
    return next(place for place in places if place.is_dir())


def read_git(clone: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", clone, *arguments], capture_output=True, check=True).stdout


def write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def unpack(clone: Path, folder: Path) -> None:
    """The documents of the newest commit, as far as they are there: snapshots lack their largest files."""
    for name in read_git(clone, "ls-tree", "-r", "-z", "--name-only", "HEAD").decode().split("\0"):
        if name.endswith(WANTED):
            shown = subprocess.run(["git", "-C", clone, "show", f"HEAD:{name}"], capture_output=True, check=False)
            if shown.returncode == 0:
                write(folder / name, shown.stdout)


def lay_out(clones: Path, folder: Path) -> None:
    """Documents, editions, repositories to be read, and suites, where `openapi.py` looks for them."""
    for row in DOCUMENTS.strip().splitlines():
        name, repository, path, commit = row.split()
        data = read_git(find_clone(clones, repository), "show", f"{commit}:{path}")
        write(folder / "documents" / f"{name}{Path(path).suffix}", data)
    for row in EDITIONS.strip().splitlines():
        name, repository, path, *commits = row.split()
        for which, commit in zip(("old", "new"), commits, strict=True):
            data = read_git(find_clone(clones, repository), "show", f"{commit}:{path}")
            write(folder / "editions" / name / f"{which}{Path(path).suffix}", data)
    for repository in READ.split():
        unpack(find_clone(clones, repository), folder / "read" / repository.replace("/", "+"))
    for repository in READ.split()[-2:]:
        unpack(find_clone(clones, repository), folder / "suites" / repository.partition("/")[2])


if __name__ == "__main__":
    lay_out(Path(sys.argv[1]), Path(sys.argv[2]))
