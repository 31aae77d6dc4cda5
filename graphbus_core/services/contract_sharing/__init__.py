"""An interface that two repositories hold: pins, what each side shows, what is deployed, and helps for who starts.

pins           where a contract comes from, and the lock with its hash
repositories   what git has of a contract file: the branch that counts, and the others
evidence       what a side shows of its code, held against a contract
answers        what a running service answered to the examples, kept in git
changed_lines  which lines of the code a branch changes, by git
mutants        texts that stand in for a part of changed code
shown_changes  which parts of a change the producer's tests show: the tests run once with each mutant
mutant_runner  those runs, a script for the sandbox
verdicts       what the CI of the other side found, carried by git
verification   every pin of a repository: what holds, what breaks, what is proposed
deployments    what runs where, and whether a version may be deployed beside it
stand_ins      a stub server, and types by tools that exist
"""

from __future__ import annotations
