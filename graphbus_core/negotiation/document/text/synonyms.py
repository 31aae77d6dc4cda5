"""Words that mean the same in plans of software projects: an honest paraphrase may take any of a group. Data only."""

from __future__ import annotations

import re

from graphbus_core.negotiation.document.text.coverage import tokens

_GROUPS = """
keep keeps kept retain retains retained store stores stored hold holds held save saves saved preserve
preserves preserved remain remains stay stays;
delete deletes deleted remove removes removed erase erases erased purge purges purged drop drops dropped
discard discards discarded;
use uses used employ employs employed rely relies adopt adopts adopted choose chooses chosen pick picks
picked;
send sends sent emit emits emitted transmit transmits transmitted deliver delivers delivered;
start starts started begin begins launch launches launched;
stop stops stopped end ends ended finish finishes halt halts;
run runs execute executes executed;
check checks checked verify verifies verified validate validates validated validation;
log logs logged logging;
backup backups;
write writes written;
read reads;
expire expires expired expiry expiration lapse lapses;
retry retries retried;
fail fails failed failure failures error errors;
request requests call calls;
create creates created make makes made;
change changes changed modify modifies modified edit edits edited alter alters altered update updates updated;
encrypt encrypts encrypted encryption;
review reviews reviewed reviewer reviewers;
approve approves approved approval approvals;
deploy deploys deployed deployment deployments release releases released ship ships shipped rollout rollouts;
live lives last lasts valid;
user users person people;
server servers machine machines host hosts;
limit limits limited cap capped;
job jobs task tasks;
alert alerts notify notifies notified notification notifications;
allow allows allowed permit permits permitted may;
forbid forbids forbidden prohibit prohibits prohibited;
need needs needed require requires required must;
test tests tested testing;
copy copies;
record records entry entries;
list lists listed;
replica replicas;
cache caches cached;
wait waits delay delays;
return returns returned reply replies replied answer answers answered respond responds response responses;
measure measures measured;
file files;
document documents documented documentation;
rotate rotates rotated rotation;
sign signs signed signature signatures;
publish publishes published;
"""

SAME: dict[str, str] = {}  # token -> the first word of its group
for _group in re.split(";", _GROUPS):
    _words = _group.split() or [""]
    for _word in _words:
        for _token in tokens(_word):
            SAME.setdefault(_token, _words[0])
