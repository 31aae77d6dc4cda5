"""The grammar of red lines in words: which words mean what, and which orders of them say something.

docs/red-lines.md lists it as it stands here (a test compares them). What a rule means says `reading`. A word that is
not here does not belong to the grammar: a sentence that has it is not read, unless it names something of the table.
"""

from __future__ import annotations

import re

from graphbus_core.negotiation.consent.red_lines.chart import parse_grammar

WORDS = """
NOT       not, no, never, not ever, not any, not a single, never ever, nobody, nowhere, under no circumstances
NOT       am not free, are not free, in no case, on no account, by no means, no way, nor, not at all, not at any price
NOTHING   nothing, not anything, none, no deal, nothing at all, no other, nobody, nowhere, not one
FINE      fine, acceptable, possible, accept, accepting, agree to, live with, an option, doable, allowed, good
FINE      alright, all right, go for, go with, sign, feasible, okay, works, work, permitted, support, consent to
FINE      tolerate, approve, stand, happen, happening, goes, do, will do, negotiable, approve of, affordable, afford
FINE      cut it, yes, am free, are free, available, bearable, agreeable, feasible by me, manage, suitable, suit
FINE      suits, work with, stomach, entertain, buy
OUT       over my dead body, no good, tied up, not for us, not for me, not acceptable to us, scrap, off limits
OUT       beyond our means, beyond my means, beyond us, unworkable, unaffordable, out, a no, a no go, no go, no-go
OUT       a no-go, refuse, reject, a deal breaker, a deal-breaker, a dealbreaker, unavailable, away, not available
OUT       busy, not around, abroad, a nonstarter, a non-starter, not happening, a hard pass, not going to work
OUT       not going to happen, impossible, unacceptable, off the table, out of the question, forbidden, rule out
OUT       avoid, exclude, veto, against, a red line, ruled out, banned, excluded, prohibited, not an option, no option
OUT       a hard no, stay away from, keep away from, oppose, skip, i am out, i walk, i walk away, count me out
OUT       illegal, unlawful, not worth, not worth it, unthinkable
MUST      must, has to, have to, needs to, need to, ought to, should, shall, got to, insist on, required, mandatory
MUST      essential, a must, non-negotiable, necessary, insist, compulsory, has got to, have got to, obligatory
MUST      indispensable, a must-have, need to have
NEED      expect, expects, need, needs, require, requires, demand, needed, do with
ONLY      but nothing else, and nothing else, but that is it, and that is it, and no other, that is all, that is it
ONLY      only, solely, exclusively, strictly, nothing else, nowhere else, no other
JUST      just
MORE      a cent over, a penny over, any later than, any more than, any longer than, rise above, go beyond, go past
MORE      climb above, exceed, more than, over, above, greater than, higher than, longer than, bigger than
MORE      larger than, in excess of, beyond, exceeding, >, exceeds, upwards of, north of, more expensive than, past
MORE      brighter than, heavier than, older than, warmer than, go over, louder than, wider than, taller than
MORE      deeper than, hotter than, costlier than, pricier than, later than, go above, greater
LESS      any earlier than, any less than, any shorter than, drop below, fall below, sink below, dip below, less than
LESS      under, below, fewer than, lower than, shorter than, smaller than, cheaper than, <, beneath, south of
LESS      colder than, cooler than, younger than, lighter than, narrower than, darker than, earlier than, sooner than
LESS      go below, go under
MOST      at most, at the most, at the very most, up to, max, maximum, a maximum of, maximum of, max of, <=, ≤, within
MOST      as much as, as many as, limited to, capped at, tops, a cap of, a limit of, a ceiling of, at the outside
MOST      go to, go as far as, stretch to, stops at, stop at, ends at, at the longest, at the highest, at the limit
MOST      cannot top, runs out at, no later than, not later than, at the latest, as far as
LEAST     at least, at the least, at the very least, min, minimum, a minimum of, minimum of, min of, >=, ≥, a floor of
LEAST     atleast, no earlier than, at the earliest
ORLESS    or sooner, or less, or fewer, or below, or under, or lower, or cheaper, and below, and under, or shorter
ORLESS    and not more, and no more, or earlier, and not a cent more, and not a penny more, not a cent more
ORLESS    not a penny more, not more, no more, and not longer, or before, not one more, and not higher, or smaller
ORMORE    or more, or above, or over, or higher, and up, and above, or longer, plus, +, and more, or upwards
ORMORE    and upwards, and over, or later, and not less, and no less, not less, no less, upwards, or after, onwards
ORMORE    onward, and later, or bigger
LIMIT     absolute limit, the absolute limit, my limit, the limit, limit, our limit, my maximum, the maximum
LIMIT     our maximum, my max, the max, the most, my ceiling, the ceiling, the cap, my upper limit, the upper limit
LIMIT     my absolute maximum, my absolute limit, as high as i, as high as we, as late as i can, as much as i
LIMIT     as much as we, as far as i, as far as we, the ceiling for, the longest, the highest, the latest
FLOOR     my minimum, the minimum, our minimum, the least, my floor, the floor, my lower limit, the lower limit
FLOOR     as early as i can, as low as i can, as low as we can, the bare minimum, the lowest, the earliest
TOOMUCH   too much, too high, too expensive, too long, too late, too many, too far, too big, too steep, too dear
TOOMUCH   one too many, way too much, far too much, way too long, way too expensive, far too long, far too expensive
TOOMUCH   too hot, already too much
TOOLITTLE too little, too low, too few, too early, too short, too small, too soon, not enough, too cold
BEFORE    before, ahead of, prior to
AFTER     after
BY        on or before, by, no later than, not later than, at the latest by, until and including
TILL      until, till, up to, through
SINCE     not free until, not free before, not available until, not available before, not ready until
SINCE     not ready before, not open until, on or after, from, since, starting, starting from, starting on, as of
SINCE     no earlier than, not earlier than
BETWEEN   between, anywhere between, somewhere between, sometime between, something between
FROM      from, somewhere from, anywhere from
TO        to, -, and, until, till, through
WEEKEND   weekend, weekends
WORKDAY   weekday, weekdays, working day, working days
IF        supposing, if, when, whenever, in case, in case of, once, where
UNLESS    unless, unless if, except if, except when, save if, save when
ONLYIF    only if, only when, only with, only where, only in case, provided, provided that, providing, as long as
ONLYIF    so long as, only for, if and only if, on condition that, on the condition that, only at, only in, only on
ONLYIF    but only if, but only when, but only where, and only if, only to, only by, only during, only from
ONLYIF    but only as long as, on the proviso that, but only once, subject to, only once
EXCEPT    except, except for, other than, apart from, with the exception of, excluding, besides, save for, except on
EXCEPT    except in, but for, except with, except at
BUT       but
BUTNOT    but not, just not, only not, though not, although not, yet not, but never, but please not, just never
BUTNOT    but just not
BUTONLY   but only, though only, but just, but solely
BUTTHEN   but then, but in that case, provided then
SOME      some, any, at least some, a bit of, an actual
BAD       overkill, pointless, useless, daylight robbery, robbery, ridiculous, absurd, nonsense, a joke, crazy, insane
BAD       suicide, an insult, no good, not interesting, uninteresting, a bad idea, terrible, awful, madness, a waste
BAD       silly, mad, outrageous
ELSE      for everything else, everything else, everywhere else, for the others, the others, for the rest, the rest
ELSE      otherwise, else, if not, on any other day, on all other days, any other day, in other cases
ELSE      in every other case, in all other cases, in any other case, for all others, for any other, any other
ELSE      elsewhere, for everyone else
ALSO      so does, so do, so is, so are, so would, too, as well
HEDGE     close to, not really, not quite, not exactly, not ideal, not ideally, not so, not too, not very, not that
HEDGE     not entirely, not sure, rather not, would rather not, prefer not, i would rather not, i would prefer not
HEDGE     would prefer not, could do without, do without, i would really prefer not, we would rather not
HEDGE     we would prefer not, no way around, not wholly, not completely, not always, not necessarily, not all
HEDGE     not every, not everything, not keen, never really
THERE     where, there
PAYANY    pay anything, paying anything, spend anything, spending anything, pay a cent, pay a penny, pay for anything
PAYANY    pay extra
GRATIS    costs nothing, cost nothing, for nothing, free of charge, at no cost, for free, no charge, at no charge
DOUBT     else otherwise rest other others same rather guess think suppose maybe perhaps probably might roughly about
DOUBT     around usually normally mostly preferably stretch flexible negotiable depends joking kidding unsure almost
DOUBT     nearly but above below over under beyond
CONFIRM   no more and no less, no more no less, no less and no more, neither more nor less, on the dot
EXACT     exactly, precisely
FILLER    end up with, which means, for all i care, for this, for that, a little, a bit, i am afraid, fall into
FILLER    fall in, run into, anywhere near, anywhere near me, as such, come down to, go down to, down to
FILLER    bring down to, back, at all, of us, up front, by me, for me, for us, put down, in the end, in fact
FILLER    of course, by the way, in that, to be honest, to be clear, to be fair, as far as i am concerned, on my part
FILLER    at this point, at least for me, come in, on top, fork out, shell out, set up, come up with, sign up for
FILLER    sign off on, sign off, hand over, give away, put up, take on, go live, all the way, right now, any more
FILLER    this time, this year, so much as, when it comes to, as for, in terms of, in the way of, on it, in it, of it
FILLER    of them, of that, of those, all in all, for sure, no doubt, if need be, if it comes to it, to me, to us
FOLLOWS   means, requires, needs, costs, takes, calls for, comes with, goes with
WITHOUT   without, with no, with zero, with no kind of
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
ORNOTHING otherwise i am not interested, or i am not interested, otherwise we are not interested
ORNOTHING or we are not interested, otherwise nohing, otherwise i am out, otherwise forget it, or we are done
ORNOTHING or i am gone, or none, or i walk away, otherwise no deal, period, full stop, or we have no deal
WISH      a plus, a bonus, ideally, i would prefer, i would like, i prefer, preferably, we would prefer, we would like
WISH      i would love, i hope for, i like, we prefer, would be nice, would be lovely, would be great, would be good
WISH      my favourite, i would rather, we would rather, rather, would love, we would love, i am hoping for
WISH      we are hoping for, if possible, i would rather be, i would rather have, happy with, would be ideal
WISH      nice to have, preferred, it would be nice, hopefully, my preference, would be best, would be better
WISH      i would enjoy
FREE      not a condition, do not care what, i do not care what, happy with whatever, fine with whatever
FREE      do not care which, do not care who, i do not care which, i do not care who, i do not mind, i do not care
FREE      no red line, no red lines, no preference, i am easy, anything goes, i am flexible, we are flexible
FREE      i am open, do not care, do not care about, i do not care about, do not mind about, not fussy about
FREE      nothing to exclude, no problem with, i have nothing against, we do not mind, no objection to
FREE      nothing against, not mind, not against, not opposed to, not ruling out, not rule out, not exclude
FREE      not refuse, not reject, not averse to, not that i mind, no objections to, i do not insist on, no need for
FREE      it does not matter, all the same to me
COMMA     ,
PAUSE     , : -
SEP       , ; : - .
TAIL      thx, pls, cheers, thank you very much, and i mean that, let me be clear, sorry to say, i am afraid
TAIL      no discussion, no exceptions, no exception, no ifs no buts, full stop, period, no question, no debate
TAIL      no compromise, end of story, if you do not mind, both ends included, both included, inclusive, included
TAIL      if that is all right, if possible at all, that is final, that is firm, that is fixed, that is a fact
TAIL      and that is that, and that is final, no matter what, no arguments, end of
EMPTY     i we you he she it they this that these those there one me us them my our your its his her im myself be is
EMPTY     are am was were being been will would can could may might do does did go going goes get gets take takes
EMPTY     taking have has had make makes making pay paying pays spend spending spends cost costs costing charge come
EMPTY     comes coming start starts starting begin begins end ends lasts lasting stay stays staying keep keeps run
EMPTY     runs happens fall falls falling hold held want wants use using choose pick book travel meet meeting priced
EMPTY     accept of a an the to for in on at with via during who give giving gave please honestly really simply
EMPTY     definitely sorry thanks guys folks personally frankly well hi hello actually basically obviously clearly
EMPTY     unfortunately kindly sadly look listen also again of-course ever absolutely certainly surely truly seriously
EMPTY     so still deal offer afraid say honest ask concerned my-part everyone thing by from off full whole entirely
EMPTY     always possibly ready prepared willing able under-no final thank happy set let lets see think feel sure
EMPTY     anymore kind sort eat drink eating drinking attend attending host deliver delivered ship send sending kept
EMPTY     opened started done made paid too now here drives write working whichever wherever whoever ones got hosting
EMPTY     move moving sign-up commit committing leave leaving arrive arriving finish finished live living rent renting
EMPTY     fly flying drive
VERB      close, enrol, fund, add, advertise, allow, appoint, arrange, arrive, ask, attend, attract, award, back, bake
VERB      be, become, begin, bid, board, touch, promise, handle, book, borrow, bring, broadcast, build, buy, call
VERB      camp, carry, chair, charge, choose, clean, climb, come, commission, commit, commute, complete, cook, cost
VERB      cover, cycle, dance, deliver, deploy, design, develop, dig, dine, do, donate, draw, drink, drive, earn, eat
VERB      elect, employ, end, enter, expect, fall, farm, feed, fence, film, finance, find, finish, fit, fly, get, give
VERB      go, grant, grow, guarantee, hand, happen, harvest, have, heat, hire, hold, host, house, include, install
VERB      insure, invest, invite, issue, join, keep, land, launch, lay, lead, lease, leave, lend, let, license, list
VERB      live, load, lock, look, make, manage, manufacture, mean, meet, mount, move, name, observe, offer, open
VERB      operate, order, organise, organize, own, pack, paint, park, pay, perform, pick, place, plan, plant, play
VERB      post, prepare, present, preserve, print, process, produce, provide, publish, put, reach, read, receive
VERB      record, recruit, rehearse, release, renew, rent, repair, reserve, ride, roll, run, sail, schedule, screen
VERB      see, seat, sell, send, serve, set, settle, shoot, show, sign, sing, sit, sleep, speak, spend, sponsor, staff
VERB      start, stay, store, study, supply, supervise, take, talk, teach, test, train, transfer, transport, travel
VERB      treat, try, turn, use, view, visit, walk, want, watch, water, wear, work, write, spare, accommodate, fill
VERB      risk, deal, squeeze, wait, commence, consider, subscribe, submit, stick, cater, celebrate, exhibit, display
VERB      hang, ship
NOUN      someone, somebody, period, council, thing, one, deal, option, choice, plan, place, date, day, event, meeting
NOUN      party, job, work, project, contract, offer, term, budget, boss, landlord, landlady, company, team, crew
NOUN      firm, kitchen, wallet, purse, accountant, lawyer, wife, husband, manager, people, person, guest, man, woman
NOUN      folk, client, customer, side, part, case, way, point, opinion, view, sake, book, family, trip, holiday
NOUN      vacation, journey, tour, wedding, conference, workshop, course, celebration, flat, apartment, order
NOUN      purchase, sale, lease, loan, launch, release, package, solution, proposal, setup, booking, visit, stay, ride
NOUN      dinner, lunch, meal, shed, headcount, room, season, session, ceremony, shoot, recording, edition
NOUN      contribution, table, list, agreement, arrangement, condition, end, start, house, home, land, farm, floor
NOUN      bank, account, director, committee, member, colleague, union, department, owner, tenant, seller, buyer
NOUN      supplier, employer, employee, child, kid, children, data, age
"""

ORDER = """
line     -> <part> | <part> EITHER => same | <part> SEP ASIDE | ASIDE SEP? BUT? <line> => same | <part> SEP? TAIL
          | <part> SEP? TAIL SEP TAIL | <part> SEP? REASON | <part> SEP? REASON <stop> <line> => both
          | <part> SEP? REASON SEP ASIDE | <part> <stop> <line> => both | <part> SEP ASIDE <stop> <line> => both
          | TAIL SEP? <line> => same
stop     -> SEP | BUT | SEP BUT | SEP AND
join     -> AND | SEP | BUT | SEP BUT | SEP AND
part     -> <body> | FREE <list>? SEP? ONLYIF <cond> => require_last
          | FINE ANY ISSUE? SEP? ONLYIF <cond> => require_last | <list> SEP <front> => listed
          | <list> SEP <back> => listed | <clauses> AND <trailed> => both
          | <list> PAUSE? <body> SEP? AND? ELSE SEP? <body> => split_by
          | <list> SEP? FINE? SEP? BUTTHEN <body> => when_first | FINE <list> SEP? BUTTHEN <body> => when_first
          | <list> FINE <list> SEP? ELSE NOT FINE? => only_if
          | <list> FINE? SEP? BUT? ONLYIF <cond> SEP? ELSE SEP? <body> => only_if_else
          | FINE <list> SEP? ONLYIF <cond> SEP? ELSE SEP? <body> => only_if_else
          | <clauses> SEP? IF <cond> SEP? ELSE SEP? <body> => if_else
          | IF <cond> SEP? THEN? <clauses> SEP? ELSE SEP? <body> => if_else_first
          | <clauses> SEP? EXCEPT <list> SEP? THERE <limit> => except_there
          | <list> FINE? SEP? BUT? ONLYIF <cond> => only_if | <list> FINE? ONLY FINE? <list> => only_if
          | FINE <list> SEP? ONLYIF <cond> => only_if | <list> FINE SEP? BUTONLY <cond> => only_if
          | <list> SEP? BUTONLY <cond> => want_only | FINE <list> SEP? BUTONLY <cond> => only_if
          | ONLYIF <cond> SEP? FINE? <list> FINE? => only_if_first | <list> ONLY FINE? WITHOUT <atom> => only_without
          | <list> FOLLOWS <list> SEP? ORNOTHING => implies | <list> FINE SEP? BUTNOT FINE? <list> => fine_but
          | <list> SEP? BUTNOT FINE? <list> => want_but | FINE <list> SEP? BUTNOT FINE? <list> => fine_but
          | <list> FINE SEP NOT <list> => fine_but | FINE <list> SEP NOT <list> => fine_but
          | <list> SEP NOT UNLESS <cond> => only_if | <list> NOT FINE? UNLESS <cond> => only_if
          | <clauses> SEP? ORELSE <clauses> => or_else | <clauses> SEP? ORELSE <list> => or_else_list
          | EITHER? <clauses> SEP? OR <list> => or_else_list | EITHER? <clauses> SEP? OR <clauses> => or_else
body     -> <clauses> | IF <cond> SEP? THEN? <list> => when_needed | <clauses> SEP? UNLESS <cond> => unless
          | UNLESS <cond> SEP? <clauses> => unless_first | <clauses> SEP? IF <cond> => when
          | IF <cond> SEP? THEN? <clauses> => when_first | <list> PAUSE? <sided> => when_first
          | <fronts> <list> => when | <clauses> SEP? EXCEPT <cond> => unless
trailed  -> <clauses> UNLESS <cond> => unless | <clauses> IF <cond> => when | <clauses> EXCEPT <cond> => unless
fronts   -> <front> | <front> <join> <fronts> => both
clauses  -> NOT ISSUE COMMA NOT <list> => if_none | <clause> | <clause> <join> <clauses> => both
clause   -> <sided> | <sole>
sole     -> ONLY FINE? <atom> <conj> => only_at | ONLY FINE? IF <cond> => require
          | MUST? ONLY FINE? <list> FINE? => require | FINE ONLY <list> => require | ISSUE ONLY <list> => require_of
          | <list> SEP? ONLY => require
sided    -> <front> | <back> | <must> | <free>
front    -> NOT FINE? <list> ANY BUT <list> => exclude_unless | NOT FINE? <list> EXCEPT <list> => exclude_unless
          | NOTHING EXCEPT <list> FINE? => require | NOTHING BUT <list> FINE? => require
          | NOT FINE? ANY? ISSUE? EXCEPT <list> FINE? => require_skip
          | NOT FINE? ANY? ISSUE? BUT <list> FINE? => require_skip | NOT FINE? ANY BUT <list> => require
          | NOT FINE? WITHOUT <list> => require | NOTHING FINE? WITHOUT <list> => require
          | NOT PAYANY <list> => pay_nothing_for | NOT FINE? <list> => exclude | NOTHING FINE? <list> => exclude
          | NOT ANY <list> => exclude | NOT FINE ANY <list> => exclude | ISSUE NOT FINE? <list> => exclude_of
          | NOT ISSUE <list> => exclude_of | MUST NOT FINE? <list> => exclude
          | ISSUE MUST NOT FINE? <list> => exclude_of | OUT <list> => exclude
          | NEITHER <list> NOR <list> FINE? => neither | NOT EITHER <list> => exclude
          | NEITHER ISSUE NOR ISSUE MUST? FINE? <list> => neither_name | NOT BOTH <atom> AND <list> => exclude_both
          | ISSUE MUST? NOT MORE ISSUE => not_above_name | ISSUE MUST? NOT LESS ISSUE => not_below_name
          | ANY ISSUE? FINE? EXCEPT <list> FINE? => exclude_skip | ANY ISSUE? FINE? BUT <list> FINE? => exclude_skip
          | MUST FINE? <list> => need | NEED <list> => need
back     -> <list> MUST NOT FINE? => exclude_one | <list> NOT FINE? => exclude_one | <list> SEP NO => exclude_one
          | ANY <list> OUT => exclude_one | ANY <list> NOT FINE? => exclude_one | ANY <list> <too> => exclude
          | <list> OUT => exclude_one | <limit> <too> => exclude | NUM TOOMUCH => too_much
          | ISSUE NUM TOOMUCH => too_much_of | ISSUE NUM TOOLITTLE => too_little_of | DATE TOOMUCH => too_late
          | DATE TOOLITTLE => too_early | <list> <too> <list> => exclude_both | OPTION <too> => exclude
          | <list> <verdict>? SEP? AND? OUT => exclude_one | <list> <verdict>? SEP NOT FINE? => exclude_one
          | <list> AND NOT FINE? => exclude_one | IF <cond> SEP? THEN? OUT => exclude
          | IF <cond> SEP? THEN? NOT FINE? => exclude | NUM TOOLITTLE => too_little
          | OPTION MUST? NOT FINE? <limit> => exclude_both | <list> OUT <join>? ALSO <list> => neither
          | <list> NOT FINE? <join>? ALSO <list> => neither
verdict  -> <too> | BAD
must     -> NEED NOT LESS NUM => keep_at_least | NEED NOT MORE NUM => keep_at_most | NOT PAYANY => pay_nothing
          | OPTION MUST <limit> => require_for | ISSUE MUST FINE? <list> => need | <list> MUST FINE? => need
          | <limit> => require | TILL DATE => till | EXACT <plain> CONFIRM? => require
          | NUM SEP? CONFIRM => require_exact | <plain> EXACT => require | ISSUE SEP? <limit> => require_of
          | <limit> ISSUE => require_of_last | EITHER <list> OR <list> => require_either
          | <list> SEP? ORNOTHING => require | LIMIT SEP? FINE? NUM => keep_at_most
          | <list> SEP? OR NOT FINE? => require | <list> SEP? OR OUT => require | NUM LIMIT FINE? => keep_at_most
          | FLOOR SEP? FINE? NUM => keep_at_least | NUM FLOOR FINE? => keep_at_least
          | ISSUE NUM LIMIT FINE? => keep_at_most_of | ISSUE NUM FLOOR FINE? => keep_at_least_of
          | LIMIT ISSUE NUM => keep_at_most_of | FLOOR ISSUE NUM => keep_at_least_of | DATE LIMIT ISSUE? => till
          | LIMIT DATE => till | DATE FLOOR ISSUE? => keep_since | FLOOR DATE => keep_since
          | ISSUE MUST MORE ISSUE => above_name | ISSUE MUST LESS ISSUE => below_name
free     -> <allow> | <allow> <join>? ALSO <list> => wish | <allow> <join>? <list> ALSO => wish
allow    -> <list> FINE => allow | FINE <list> => fine_bound | WISH <list> => wish | <list> WISH => wish
          | FREE <list>? => wish | FREE ISSUE => wish | ANY? ISSUE SEP? FREE => wish | NOT MUST <list> => wish
          | NOT NEED <list> => wish | NOT MUST FINE? <list> => wish
too      -> TOOMUCH | TOOLITTLE | TOO
cond     -> <case> | <case> OR <cond> => either | <case> COMMA OR <cond> => either
          | <case> COMMA <case> OR <cond> => any_of | <case> AND <cond> => at_once
          | <case> COMMA AND <cond> => at_once
case     -> <conj> | ONLY <conj> | NOT ISSUE => lacking | NOT <atom> => not | ISSUE NOT <atom> => not_of_name
          | WITHOUT <atom> => not | NEITHER <atom> NOR <atom> => not_either | <atom> NOT FINE? => not
list     -> <conj> | <conj> OR <list> => either_or | <conj> COMMA <list> => either
          | <conj> COMMA OR <conj> => either_or | <conj> AND <list> => together | <conj> NOR <list> => either
          | <conj> COMMA NOR <list> => either | <conj> OR <list> WITHOUT <atom> => either_without
conj     -> <atom> | <atom> <conj> => at_once | <atom> AND <atom> TOGETHER => at_once
          | BOTH <atom> AND <atom> => at_once | <atom> WITHOUT <atom> => but_not | <atom> TOGETHER <atom> => at_once
atom     -> OPTION | ISSUE OPTION => option_last | OPTION ISSUE => option_of | <plain> | ISSUE SEP? <plain> => of_name
          | <plain> ISSUE => of_name_last | ISSUE => having | SOME ISSUE => having | WITHOUT ISSUE => lacking
          | GRATIS => gratis
plain    -> <limit> | NUM => exactly | ANY NUM => exactly | DATE => within | WEEKDAY COMMA? DATE => on_day
          | WEEKDAY => weekday | WEEKEND => weekend | WORKDAY => workday
limit    -> <bound> | <bound> SEP ORLESS => confirm_most | <bound> SEP ORMORE => confirm_least
bound    -> NUM ISSUE SEP? MOST => at_most_of | NUM ISSUE SEP? LEAST => at_least_of | NUM ISSUE ORLESS => at_most_of
          | NUM ISSUE ORMORE => at_least_of | MORE NUM => above | LESS NUM => below | MOST NUM => at_most
          | LEAST NUM => at_least | NUM SEP? ORLESS => at_most | NUM SEP? ORMORE => at_least
          | NUM SEP? MOST => at_most | NUM SEP? LEAST => at_least | FROM NUM SEP? ORMORE => at_least
          | BETWEEN NUM AND NUM => between | FROM? NUM TO NUM => between | BEFORE DATE => before | AFTER DATE => after
          | LESS DATE => before | MORE DATE => after | BY DATE => by | MOST DATE => by | DATE MOST => until
          | LEAST DATE => since | BY DATE MOST => by | DATE LEAST => since | SINCE DATE => since
          | SINCE DATE FINE => since | DATE ORMORE => since | DATE SEP? ORLESS => until | DATE SEP? ORMORE => since
          | BETWEEN DATE AND DATE => date_between | FROM? DATE TO DATE => date_between
          | NOT FINE? TILL DATE => not_till
"""

IRREGULAR = {
    "be": "is am are was were been", "become": "became", "begin": "began begun", "bring": "brought", "build": "built",
    "buy": "bought", "choose": "chose chosen", "come": "came", "do": "did done does", "draw": "drew drawn",
    "drink": "drank drunk", "drive": "drove driven", "eat": "ate eaten", "fall": "fell fallen", "feed": "fed",
    "find": "found", "fly": "flew flown", "get": "got gotten", "give": "gave given", "go": "went gone",
    "grow": "grew grown", "hang": "hung", "have": "had has", "hold": "held", "keep": "kept", "lay": "laid",
    "lead": "led", "leave": "left", "lend": "lent", "make": "made", "mean": "meant", "meet": "met", "pay": "paid",
    "read": "", "ride": "rode ridden", "run": "ran", "see": "saw seen", "sell": "sold", "send": "sent",
    "shoot": "shot", "show": "shown", "sing": "sang sung", "sit": "sat", "sleep": "slept", "speak": "spoke spoken",
    "spend": "spent", "stick": "stuck", "take": "took taken", "teach": "taught", "wear": "wore worn",
    "write": "wrote written", "put": "put", "set": "set", "let": "let",
}  # fmt: skip


def parse_words(text: str) -> dict[str, set[tuple[str, ...]]]:
    """The phrases of each kind of word. Most are set apart by commas, those of EMPTY and SEP by blanks."""
    kinds: dict[str, set[tuple[str, ...]]] = {}
    for line in text.strip().splitlines():
        name, rest = line.split(None, 1)
        phrases = rest.split() if name in ("EMPTY", "SEP", "COMMA", "PAUSE", "DOUBT") else rest.split(", ")
        kinds.setdefault(name, set()).update(tuple(p.split()) for p in phrases if p.strip())
    kinds["EMPTY"] |= kinds.pop("FILLER")
    kinds["EMPTY"] |= {(form,) for (verb,) in kinds.pop("VERB") for form in list_verb_forms(verb)}
    kinds["EMPTY"] |= {(form,) for (noun,) in kinds.pop("NOUN") for form in {noun, _add_s(noun)}}
    return kinds


def list_verb_forms(verb: str) -> set[str]:
    """All forms of a verb: sells, selling, sold."""
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) else verb
    # One vowel between consonants doubles the last of them, unless the word is long: planning, offering.
    doubled = re.fullmatch(r"[^aeiou]*(?:qu)?[aeiou][^aeiouwxy]|commit|submit|transfer", verb)
    stem += stem[-1] if doubled else ""
    past = verb[:-1] + "ied" if re.search(r"[^aeiou]y$", verb) else stem + "ed"
    return {verb, _add_s(verb), stem + "ing", past, *IRREGULAR.get(verb, "").split()} - {""}


def _add_s(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


KINDS = parse_words(WORDS)
GRAMMAR = parse_grammar(ORDER)
