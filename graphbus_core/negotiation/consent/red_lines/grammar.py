"""The grammar of red lines in words: which words mean what, and which orders of them say something.

docs/red-lines.md lists it as it stands here (a test compares them). What a rule means says `reading`. A word that is
not here does not belong to the grammar: a sentence that has it is not read, unless it names something of the table.
"""

from __future__ import annotations

from graphbus_core.negotiation.consent.red_lines.chart import parse_grammar

WORDS = """
NOT       not, no, never, not ever, not any, not a single, never ever, nobody, nowhere, under no circumstances
NOT       in no case, on no account, by no means, no way, no longer, nor, not at all, not at any price
NOTHING   nothing, not anything, none, no deal, nothing at all, no other, nobody, nowhere, not one
FINE      fine, acceptable, possible, accept, accepting, agree to, live with, an option, doable, allowed, good
FINE      alright, all right, go for, go with, sign, feasible, okay, works, work, permitted, support, consent to
FINE      tolerate, approve, stand, happen, happening, goes, do, will do, negotiable, approve of, affordable, afford
FINE      suitable, suit, suits, work with, stomach, entertain, buy
OUT       out, a no, a no go, no go, no-go, a no-go, refuse, reject, a deal breaker, a deal-breaker, a dealbreaker
OUT       impossible, unacceptable, off the table, out of the question, forbidden, rule out, avoid, exclude, veto
OUT       against, a red line, ruled out, banned, excluded, prohibited, not an option, no option, a hard no
OUT       stay away from, keep away from, oppose, skip, i am out, i walk, i walk away
MUST      must, has to, have to, needs to, need to, ought to, should, shall, got to, insist on, required, mandatory
MUST      essential, a must, non-negotiable, necessary, insist, compulsory, has got to, have got to, obligatory
MUST      indispensable, a must-have, need to have
NEED      need, needs, require, requires, demand, needed, do with
ONLY      only, solely, exclusively, strictly, nothing else, nowhere else, no other
JUST      just
MORE      more than, over, above, greater than, higher than, longer than, bigger than, larger than, in excess of
MORE      beyond, exceeding, >, exceed, exceeds, upwards of, north of, more expensive than, past, brighter than
MORE      heavier than, older than, warmer than, go over, louder than, wider than, taller than, deeper than
MORE      hotter than, costlier than, pricier than, later than, go above, greater
LESS      less than, under, below, fewer than, lower than, shorter than, smaller than, cheaper than, <, beneath
LESS      south of, colder than, cooler than, younger than, lighter than, narrower than, darker than, earlier than
LESS      sooner than, go below, go under
MOST      at most, at the most, at the very most, up to, max, maximum, a maximum of, maximum of, max of, <=, ≤, within
MOST      as much as, as many as, limited to, capped at, tops, a cap of, a limit of, a ceiling of, at the outside
MOST      no later than, not later than, at the latest
LEAST     at least, at the least, at the very least, min, minimum, a minimum of, minimum of, min of, >=, ≥, a floor of
LEAST     atleast, no earlier than, at the earliest
ORLESS    or less, or fewer, or below, or under, or lower, or cheaper, and below, and under, or shorter, and not more
ORLESS    and no more, or earlier, and not a cent more, and not a penny more, not a cent more, not a penny more
ORLESS    not more, no more, and not longer, or before, not one more, and not higher, or smaller
ORMORE    or more, or above, or over, or higher, and up, and above, or longer, plus, +, and more, or upwards
ORMORE    and upwards, and over, or later, and not less, and no less, not less, no less, upwards, or after, onwards
ORMORE    onward, and later, or bigger
LIMIT     my limit, the limit, limit, our limit, my maximum, the maximum, our maximum, my max, the max, the most
LIMIT     my ceiling, the ceiling, the cap, my upper limit, the upper limit, my absolute maximum, my absolute limit
LIMIT     as high as i, the longest, the highest, the latest
FLOOR     my minimum, the minimum, our minimum, the least, my floor, the floor, my lower limit, the lower limit
FLOOR     the bare minimum, the lowest, the earliest
TOOMUCH   too much, too high, too expensive, too long, too late, too many, too far, too big, too steep, too dear
TOOMUCH   too hot, already too much
TOOLITTLE too little, too low, too few, too early, too short, too small, too soon, not enough, too cold
BEFORE    before, ahead of, prior to
AFTER     after
BY        by, no later than, not later than, at the latest by, until and including
TILL      until, till, up to, through
SINCE     from, since, starting, starting from, starting on, as of, no earlier than, not earlier than
BETWEEN   between, anywhere between, somewhere between, sometime between, something between
FROM      from, somewhere from, anywhere from
TO        to, -, and, until, till, through
WEEKEND   weekend, weekends
WORKDAY   weekday, weekdays, working day, working days
IF        if, when, whenever, in case, in case of, should, once, where
UNLESS    unless, unless if, except if, except when, save if, save when
ONLYIF    only if, only when, only with, only where, only in case, provided, provided that, providing, as long as
ONLYIF    so long as, only for, if and only if, on condition that, on the condition that, only at, only in, only on
ONLYIF    only once
EXCEPT    except, except for, other than, apart from, with the exception of, excluding, besides, save for, except on
EXCEPT    except in, but for, except with, except at
BUT       but
WITHOUT   without
ANY       any, anything, everything, all, every, anywhere, whatever, anyone, any of them, all of them, either one
OR        or
AND       and, as well as, and also, plus
NEITHER   neither, neither of
NOR       nor
BOTH      both
EITHER    either
TOGETHER  together, at once, at the same time, combined, in combination
THEN      then
ORELSE    or else, otherwise, or it has got to be, or it must be
ORNOTHING or nothing, or no deal, or i am out, or i walk, or not at all, or bust, or nobody, or nowhere, or forget it
ORNOTHING or i am gone, or none, or i walk away, otherwise no deal, period, full stop, or we have no deal
WISH      ideally, i would prefer, i would like, i prefer, preferably, we would prefer, we would like, i would love
WISH      i hope for, i like, we prefer, would be nice, would be lovely, would be great, would be good, my favourite
WISH      if possible, i would rather be, i would rather have, happy with, would be ideal, nice to have, preferred
WISH      it would be nice, hopefully, my preference, would be best, would be better, i would enjoy
FREE      i do not mind, i do not care, no red line, no red lines, no preference, i am easy, anything goes
FREE      nothing to exclude, no problem with, i have nothing against, we do not mind, no objection to
FREE      no objections to, i do not insist on, no need for, it does not matter, all the same to me
SEP       , ; : - .
EMPTY     i we you he she it they this that these those there one me us them my our your its his her im myself be is
EMPTY     are am was were being been will would can could may might do does did go going goes get gets take takes
EMPTY     taking have has had make makes making pay paying pays spend spending spends cost costs costing charge come
EMPTY     comes coming start starts starting begin begins end ends last lasts lasting stay stays staying keep keeps
EMPTY     run runs happens fall falls falling hold held want wants use using choose pick book travel meet meeting
EMPTY     priced accept of a an the to for in on at with via during which who whose give giving gave please honestly
EMPTY     really simply definitely sorry thanks guys folks personally frankly well hi hello actually basically
EMPTY     obviously clearly unfortunately kindly sadly look listen also again of-course ever absolutely certainly
EMPTY     surely truly seriously then so still deal offer afraid say honest ask concerned my-part everyone thing
EMPTY     exactly precisely whole entirely always possibly ready prepared willing able under-no final thank happy set
EMPTY     let lets see think feel sure anymore kind sort eat drink eating drinking attend attending host deliver
EMPTY     delivered ship send sending kept opened started done made paid too now here drives around write working
EMPTY     whichever wherever whoever ones got hosting move moving sign-up commit committing leave leaving arrive
EMPTY     arriving finish finished live living rent renting fly flying drive
"""

ORDER = """
line     -> <part> | <part> EITHER => same | <part> SEP ASIDE | ASIDE SEP <line> => same | ASIDE <line> => same
          | <part> REASON | <part> SEP REASON | <part> <join> <line> => both
join     -> AND | SEP | BUT | SEP BUT | SEP AND
part     -> <clauses> | <clauses> SEP? UNLESS <cond> => unless | UNLESS <cond> SEP? <clauses> => unless_first
          | <clauses> SEP? IF <cond> => when | IF <cond> SEP? THEN? <clauses> => when_first
          | <list> SEP? <sided> => when_first | <sided> <list> => when | <clauses> SEP? EXCEPT <cond> => unless
          | <list> FINE? SEP? BUT? ONLYIF <cond> => only_if | FINE <list> SEP? ONLYIF <cond> => only_if
          | ONLYIF <cond> SEP? FINE? <list> FINE? => only_if_first
          | <list> FINE? SEP? BUT NOT FINE? <list> => fine_but | <list> SEP NOT UNLESS <cond> => only_if
          | <list> NOT FINE? UNLESS <cond> => only_if | <clauses> SEP? ORELSE <clauses> => or_else
          | EITHER? <clauses> SEP? OR <clauses> => or_else
clauses  -> <clause> | <clause> <join> <clauses> => both
clause   -> <sided> | <sole>
sole     -> MUST? ONLY FINE? <list> FINE? => require | FINE ONLY <list> => require
          | ISSUE ONLY <list> => require_of | <list> ONLY => require
sided    -> NOT FINE? <list> => exclude | NOTHING FINE? <list> => exclude | NOT ANY <list> => exclude
          | NOT FINE ANY <list> => exclude | ISSUE NOT FINE? <list> => exclude_of
          | NOT ISSUE <list> => exclude_of | MUST NOT FINE? <list> => exclude
          | ISSUE MUST NOT FINE? <list> => exclude_of | <list> MUST NOT FINE? => exclude
          | <list> NOT FINE? => exclude | <list> SEP NOT => exclude | ANY <list> OUT => exclude
          | ANY <list> NOT FINE? => exclude | ANY <list> <too> => exclude | <list> OUT => exclude
          | OUT <list> => exclude | <limit> <too> => exclude | NUM TOOMUCH => too_much
          | NUM TOOLITTLE => too_little | OPTION MUST? NOT FINE? <limit> => exclude_both
          | OPTION MUST <limit> => require_for | NEITHER <list> NOR <list> FINE? => neither
          | NEITHER ISSUE NOR ISSUE MUST? FINE? <list> => neither_name
          | NOT BOTH <list> AND <list> => exclude_both | MUST FINE? <list> => need | NEED <list> => need
          | ISSUE MUST FINE? <list> => require_of | <list> MUST FINE? => require | <limit> => require
          | ISSUE SEP? <limit> => require_of | <limit> ISSUE => require_of_last
          | EITHER <list> OR <list> => require_either | NOTHING EXCEPT <list> FINE? => require
          | NOTHING BUT <list> FINE? => require | NOT FINE? ANY? ISSUE? EXCEPT <list> FINE? => require_skip
          | NOT FINE? ANY? ISSUE? BUT <list> FINE? => require_skip | NOT FINE? ANY BUT <list> => require
          | ANY ISSUE? FINE? EXCEPT <list> => exclude_skip | ANY ISSUE? FINE? BUT <list> => exclude_skip
          | NOT FINE? WITHOUT <list> => require | NOTHING FINE? WITHOUT <list> => require
          | <list> SEP? ORNOTHING => require | LIMIT SEP? FINE? NUM => keep_at_most
          | NUM LIMIT FINE? => keep_at_most | FLOOR SEP? FINE? NUM => keep_at_least
          | NUM FLOOR FINE? => keep_at_least | ISSUE MUST? NOT MORE ISSUE => not_above_name
          | ISSUE MUST? NOT LESS ISSUE => not_below_name | ISSUE MUST MORE ISSUE => above_name
          | ISSUE MUST LESS ISSUE => below_name | <list> FINE => allow | FINE <list> => fine_bound
          | WISH <list> => wish | <list> WISH => wish | FREE <list>? => wish | FREE ISSUE => wish
          | NOT MUST <list> => wish | NOT NEED <list> => wish | NOT MUST FINE? <list> => wish
too      -> TOOMUCH | TOOLITTLE
cond     -> <list> | NOT <atom> => not | ISSUE NOT <atom> => not_of_name | WITHOUT <atom> => not
          | NEITHER <atom> NOR <atom> => not_either | <atom> NOT FINE? => not
list     -> <conj> | <conj> OR <list> => either | <conj> SEP <list> => either | <conj> SEP OR <conj> => either
          | <conj> AND <list> => together | <conj> NOR <list> => either | <conj> SEP NOR <list> => either
conj     -> <atom> | <atom> <atom> => at_once | <atom> AND <atom> TOGETHER => at_once
          | BOTH <atom> AND <atom> => at_once | <atom> WITHOUT <atom> => but_not
          | <atom> TOGETHER <atom> => at_once
atom     -> OPTION | ISSUE OPTION => option_last | OPTION ISSUE => option_of | <plain>
          | ISSUE SEP? <plain> => of_name | <plain> ISSUE => of_name_last
plain    -> <limit> | NUM => exactly | DATE => within | WEEKDAY => weekday | WEEKEND => weekend
          | WORKDAY => workday
limit    -> MORE NUM => above | LESS NUM => below | MOST NUM => at_most | LEAST NUM => at_least
          | NUM SEP? ORLESS => at_most | NUM SEP? ORMORE => at_least | NUM MOST => at_most
          | NUM LEAST => at_least | FROM NUM SEP? ORMORE => at_least | BETWEEN NUM AND NUM => between
          | FROM? NUM TO NUM => between | BEFORE DATE => before | AFTER DATE => after | LESS DATE => before
          | MORE DATE => after | BY DATE => by | MOST DATE => by | DATE MOST => by | LEAST DATE => since
          | DATE LEAST => since | SINCE DATE => since | SINCE DATE FINE => since | DATE ORMORE => since
          | DATE ORLESS => by | BETWEEN DATE AND DATE => date_between | FROM? DATE TO DATE => date_between
          | TILL DATE => by | NOT TILL DATE => not_till
"""


def parse_words(text: str) -> dict[str, set[tuple[str, ...]]]:
    """The phrases of each kind of word. Most are set apart by commas, those of EMPTY and SEP by blanks."""
    kinds: dict[str, set[tuple[str, ...]]] = {}
    for line in text.strip().splitlines():
        name, rest = line.split(None, 1)
        phrases = rest.split() if name in ("EMPTY", "SEP") else rest.split(", ")
        kinds.setdefault(name, set()).update(tuple(p.split()) for p in phrases if p.strip())
    return kinds


KINDS = parse_words(WORDS)
GRAMMAR = parse_grammar(ORDER)
