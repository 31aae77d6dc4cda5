// Consent and document negotiations, each whole: what stands, who said what, and the next step of a person.
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";
import type { Consent, DocumentForeseen, DocumentIssue, DocumentTold, SourceTold, TurnRequest } from "../../../clients/typescript/graphbus";
import { pairLines } from "../differ";
import { plain } from "../json";
import { forgetMarks } from "../marks";
import { Act, Called, toTop, Names, Pre, T, useLoaded, Who, whoOf, Says } from "../kit";
import { aheadAt, api, body, renew, set, state, to, useStore } from "../store";
import { chartOf, save } from "../save";
import { againOf, BeginConsent } from "./begin-consent";
import { TextField } from "./begin-document";
import { Found, Handed, isLong, Terms } from "./consent-form";
import { copyText, SeatLinks } from "../seats";

const ENDS: Record<string, string> = { DONE: "Everybody agreed", INCOMPLETE: "It ended without a decision" };
const STATES: Record<string, string> = { running: "Under way", stopped: "Stopped", failed: "It failed", unfinished: "Cut off; it can go on" };
const READS: Record<string, string> = { sealed: "sealed: nobody reads another's ballot", private: "private: how much each likes what stays their own", disclosed: "disclosed: everything is open" };

export function ConsentPanel({ id, ended }: { id: string; ended?: () => void }) {
  const { facts, me, questions, loaded } = useStore();
  const isOperator = me?.role !== "seat";
  const { value, error } = useLoaded(() => api.getConsent(id), [id], [facts]);
  const ballot = `consent/${id}/ballot:${me?.name}`;
  const isHanded = !!value?.ballot && loaded && !questions.some((one) => one.id === ballot);
  useEffect(() => {
    if (isHanded) forgetMarks(ballot); // also where a reload came between its sending and the answer
  }, [isHanded, ballot]);
  if (error) return <><h2>Consent</h2><p class="bad"><Says>{error}</Says></p></>;
  useEffect(() => {
    if (value?.state === "ended") ended?.();
  }, [value?.state]);
  if (!value || value.id !== id) return <p class="soft">Loading …</p>;
  const bump = async (work: Promise<unknown>) => (await work, set({ facts: state.facts + 1 }));
  return (
    <>
      <h2><T>{value.topic}</T></h2>
      {value.state === "running" && value.preferences === "sealed" && (value.ballot || value.standing) && !value.waiting_for.length ? <p class="wait" role="status">The proposal is being worked out …</p> : null}
      <p role="status"><strong><T>{value.state === "ended" ? (ENDS[value.status] ?? value.status) : (STATES[value.state] ?? value.state)}</T></strong>{value.preferences === "sealed" ? "" : `, after ${value.turns} of at most ${value.max_turns} turns`}; {READS[value.preferences] ?? value.preferences}.{value.state === "running" && value.waiting_for.length ? <span class="wait"> Waits for <Names names={value.waiting_for} none="" />.</span> : null} <span class="bad"><T>{value.state === "failed" ? value.detail : ""}</T></span></p>
      {isOperator && value.state !== "ended" ? <SeatLinks table={`consent/${id}`} names={value.advocates.filter((one) => one.person).map((one) => one.name)} /> : null}
      <p class="row">
        {!isOperator ? null : value.state === "running" ? <Act do={() => bump(api.cancelConsent(id))}>Stop it</Act> : null}
        {isOperator && (value.state === "stopped" || value.state === "unfinished" || value.state === "failed") ? <Act do={() => bump(api.resumeConsent(id))}>Go on with it</Act> : null}
      </p>
      {value.course ? <p class="course"><T>{value.course}</T></p> : null}
      {value.ballot ? <Handed ballot={value.ballot} open={value.state !== "ended"} ahead={value.state === "running" && !value.standing ? aheadAt(`consent/${id}`) : null} /> : null}
      {value.agreement ? <><h3>Agreed</h3><Terms terms={value.agreement} /></> : value.standing ? <><h3>{value.state === "ended" ? `Proposed last, and not agreed (number ${value.standing.number})` : `On the table (number ${value.standing.number})`}</h3><Terms terms={value.standing.terms} /></> : null}
      {value.frontier.length ? <Frontier consent={value} /> : null}
      {isOperator && value.agreement && value.state === "ended" && value.preferences === "disclosed" && value.issues.length ? <Reasons consent={value} /> : null}
      {value.record ? <Record record={value.record as Record<string, any>} /> : null}
      {value.state === "ended" && !value.agreement && value.issues.length ? <Again consent={value} canBegin={isOperator} /> : null}
      <h3>Whose decision it is</h3>
      <ul class="list">{value.advocates.map((one) => <li><strong><T>{one.name}</T></strong>{one.person ? null : <small class="soft inline"> answers by itself</small>}{one.priority && one.priority !== one.name ? <>: <T>{one.priority}</T></> : null}</li>)}</ul>
      {value.said.length ? <><h3>What was said</h3><ol class="said">{(value.state === "ended" ? value.said : [...value.said].reverse()).map((one) => <Block who={one.who} kind={one.kind} text={one.text} own={value.preferences !== "disclosed" && one.who === me?.name} />)}</ol></> : null}
    </>
  );
}

/** What to do where nothing was agreed: the same question once more, to be changed first. */
function Again({ consent, canBegin }: { consent: Consent; canBegin: boolean }) {
  const [open, show] = useState(false);
  if (!consent.advocates.every((one) => one.person)) return null; // what was declared for a program is not known here
  if (!canBegin) return <p>Whoever opened this can begin again with the same points, or with others that you could all live with.</p>;
  return open ? <BeginConsent again={againOf(consent)} /> : <p class="row"><button type="button" class="primary" onClick={() => show(true)}>Begin again with these points …</button><small class="soft">You can change them first.</small></p>;
}

const KINDS: Record<string, string> = { advocate: "states a position", proposal: "proposes", consent: "consents", object: "objects", voted: "has answered", discussion: "says", "consent check": "asks everyone for consent", "stand aside": "stands aside", pass: "passes", done: "It is decided", incomplete: "It ended without a decision" };
const FIELDS: Record<string, string> = { PRIORITY: "What matters", RATIONALE: "Why", "RED LINE": "Red line", "WILLING TO TRADE": "Can give up", "I OFFER": "Offers", "I WANT": "Wants", TERMS: "Terms" };

/** What somebody said: its fields by name, without those that were left empty. */
function Block({ who, kind, text, own }: { who: string; kind: string; text: string; own: boolean }) {
  const rows = text.split("\n").map((line) => /^([A-Z][A-Z ]+): ?(.*)$/.exec(line));
  const lines = text.split("\n").flatMap((line, i) => {
    const [, name, value] = rows[i] && FIELDS[rows[i]![1]!] ? rows[i]! : [];
    if (name && isLong(who, value)) return [<Found>{value}</Found>];
    if (name) return value?.trim() && value.trim() !== who ? [<p class="text"><small class="soft inline">{FIELDS[name]}: </small><T>{value}</T>{own && name === "RED LINE" ? <small class="soft inline"> (you alone see this)</small> : null}</p>] : [];
    return line.trim() ? [isLong(who, line) ? <Found>{line}</Found> : <p class="text"><T>{line}</T></p>] : [];
  });
  if (kind === "consent check") lines.splice(0, whoOf(who) === "GraphBus" ? lines.length : 1); // the program asks of the proposal above, a person perhaps of another
  const by = !who && ["done", "incomplete"].includes(kind) ? "" : whoOf(who);
  if (["advocate", "pass"].includes(kind) && (!lines.length || text.startsWith("no position: "))) return null; // nothing was said
  return <li>{by ? <strong><T>{by}</T></strong> : null} <small class="soft inline">{KINDS[kind] ?? <T>{kind}</T>}</small>{lines}</li>;
}

/** Why this deal, who gave what for it, and what would make another one win. */
function Reasons({ consent }: { consent: Consent }) {
  const { value } = useLoaded(() => api.getConsentReasons(consent.id, {}), [consent.id]);
  const [issue, choose] = useState(consent.issues[0]!.name);
  const [change, told] = useState("");
  const agreed = new Map(consent.agreement?.map((one) => [one.issue, one.says]));
  const options = (consent.issues.find((one) => one.name === issue)?.options ?? []).filter((one) => one !== agreed.get(issue));
  const ask = async (option: string) => told((await api.getConsentReasons(consent.id, { to_win: `${issue}=${option}` })).change ?? "");
  if (!value) return null; // where nobody can say, nothing is offered
  const list = (trades: typeof value.seats[number]["got"]) => trades.map((one) => `${one.issue}: ${one.option}${one.liked ? ` instead of ${one.liked}` : ""}`).join("; ") || "nothing";
  return (
    <>
      <h3>Why this deal</h3>
      <p class="text"><T>{value.words}</T></p>
      <ul class="list">
        {value.seats.map((one) => <li><strong><T>{one.name}</T></strong> gains {Math.round(one.share * 100)}% of its most <small class="soft">got <T>{list(one.got)}</T></small><small class="soft">gave <T>{list(one.gave)}</T></small></li>)}
      </ul>
      <fieldset class="choices">
        <legend>What would change it</legend>
        <label class="inline"><span>If it were another</span><select value={issue} onChange={(e) => { choose(e.currentTarget.value); told(""); }}>{consent.issues.map((one) => <option value={one.name}>{plain(one.title || one.name)}</option>)}</select></label>
        {options.map((one) => <Act do={() => ask(one)}><T>{one}</T></Act>)}
        <p role="status"><T>{change}</T></p>
      </fieldset>
    </>
  );
}

const CHANGES = ["relaxations", "relax", "cheapest", "would_change", "smallest", "conflict", "better"];

/** The record without the times of the votes: they are of the tally, when all were in, and not of when each voted. */
function withoutTallies(record: Record<string, any>): unknown {
  const votes = record.attested?.votes as { at?: string }[] | undefined;
  return votes ? { ...record, attested: { ...record.attested, votes: votes.map(({ at, ...vote }) => vote) } } : record;
}

function Record({ record }: { record: Record<string, any> }) {
  const change = Object.entries(record).filter(([key]) => CHANGES.some((one) => key.includes(one)));
  return (
    <>
      {change.length ? <><h3>What would change it</h3>{change.map(([key, one]) => <Pre value={one} label={key} />)}</> : null}
      <details><summary>The whole record{["agreement", "certificate"].includes(record.kind) ? ", a certificate" : ""}</summary><p class="row"><button type="button" onClick={() => save(`${record.kind ?? "record"}.json`, "application/json", JSON.stringify(withoutTallies(record), null, 2))}>Save it as a file</button></p><Pre value={withoutTallies(record)} label="Record" /></details>
    </>
  );
}

/** Efficient outcomes by mean and least satisfaction; the agreement is ringed and named. */
function Frontier({ consent }: { consent: Consent }) {
  const [w, h, m] = [320, 180, 30];
  const chart = useRef<SVGSVGElement>(null);
  const at = (one: { mean: number; least: number }) => [m + one.mean * (w - 2 * m), h - m - one.least * (h - 2 * m)] as const;
  return (
    <figure>
      <svg ref={chart} viewBox={`0 0 ${w} ${h}`} role="img" aria-label={`The frontier: ${consent.frontier.length} efficient outcomes by mean and least satisfaction${consent.frontier.some((one) => one.agreed) ? "; the agreement is one of those drawn" : ""}`}>
        <path d={`M${m} ${m}V${h - m}H${w - m}`} class="axis" />
        {consent.frontier.map((one) => {
          const [x, y] = at(one);
          return one.agreed ? <g><circle cx={x} cy={y} r={6} class="agreed" /><text x={x - 10} y={y - 10} text-anchor="end">agreed</text></g> : <circle cx={x} cy={y} r={2.4} class="point" />;
        })}
        <text x={w - m} y={h - 10} text-anchor="end">mean satisfaction</text>
        <text x={m} y={18}>least satisfaction</text>
      </svg>
      <figcaption class="soft">Efficient outcomes, and the agreement. <button type="button" onClick={() => save(`${consent.id}.svg`, "image/svg+xml", chartOf(chart.current!))}>Save the chart</button></figcaption>
    </figure>
  );
}

// ---------------------------------------------------------------- documents

export function DocumentPanel({ name, ended }: { name: string; ended?: () => void }) {
  const { facts, questions, me } = useStore();
  const { value, error } = useLoaded(() => api.getDocument(name), [name], [facts, questions]);
  useEffect(() => {
    if (value?.is_final) ended?.();
  }, [value?.is_final]);
  const end = useRef<HTMLParagraphElement>(null);
  const went = useRef(false); // it was seen while it went on: then its end has to be seen, too
  useEffect(() => {
    if (value?.is_final && went.current) end.current?.scrollIntoView({ block: "center" });
    went.current = value?.is_final === false;
  }, [value?.is_final]);
  if (error) return <><h2>Document</h2><p class="bad"><Says>{error}</Says></p></>;
  if (!value || value.name !== name) return <p class="soft">Loading …</p>;
  const isOperator = me?.role !== "seat";
  const asked = questions.some((one) => one.id === `document/${name}/turn/${value.holder}`);
  const ours = value.agents.find((one) => one.ours && one.name === value.holder && asked);
  const mine = isOperator ? ours?.name : me?.name;
  return (
    <Called.Provider value={new Map(value.agents.map((one) => [one.name, one.called]))}>
      <h2><T>{value.issues.find((one) => isTitle(one, value))?.decision || topicOf(value) || name}</T></h2>
      <p role="status" ref={end}>{value.is_final ? "The final document stands." : value.holder ? <>It is the turn of <strong><Who>{value.holder}</Who></strong> (turn {value.turn}).</> : `${value.phase === "registration" ? "" : `Phase: ${value.phase}. `}${value.agents.length} of ${value.expected_agents} sit there.`}{isOperator || asked || value.is_final ? null : <span class="soft"> This page goes on by itself when it is your turn.</span>}</p>
      {isOperator && value.phase === "registration" ? <Seat name={name} /> : null}
      {mine && !value.issues.length && !value.is_final && !value.sources.some((one) => one.name === mine) ? <Bring name={name} agent={mine} /> : null}
      {isOperator && !value.is_final ? <SeatLinks table={`document/${name}`} names={[]} here={value.agents.filter((one) => one.ours).map((one) => one.name)} add={value.phase === "registration"} /> : null}
      {value.signing ? <Signing document={value} agent={ours?.name} /> : null}
      {value.sources.length ? <><h3>The texts</h3>{value.sources.length > 1 ? <p class="soft">A line that is not in all of them is <mark>marked</mark>.</p> : null}<div class="sides">{inOrder(value).map((one) => <Source one={one} others={value.sources.filter((other) => other !== one)} />)}</div></> : null}
      {ours && value.signing ? <details class="card"><summary>Not yet: one more point first</summary><Turn key={`${value.turn}`} document={value} agent={ours.name} /></details> : ours ? <Turn key={`${value.turn}`} document={value} agent={ours.name} /> : <Points document={value} />}
      {value.final && !value.signing ? <><h3>{value.is_final ? "The final document" : "The document as far as it is"}</h3><Whole document={value} /></> : null}
    </Called.Provider>
  );
}

/** The texts, as those who brought them sit there. */
const inOrder = ({ sources, agents }: DocumentTold) => {
  const at = ({ name }: SourceTold) => agents.findIndex((one) => one.name === name);
  return [...sources].sort((a, b) => at(a) - at(b));
};

/** All points, for whoever waits: what is open first. */
function Points({ document: doc }: { document: DocumentTold }) {
  const [open, settled] = [doc.issues.filter((one) => !one.settled), doc.issues.filter((one) => one.settled)];
  return <>{open.map((one) => <Issue issue={one} document={doc} />)}{open.length ? <Settled document={doc} /> : settled.map((one) => <Issue issue={one} document={doc} />)}</>;
}

/** What is agreed already, below what is open. */
function Settled({ document: doc }: { document: DocumentTold }) {
  const settled = doc.issues.filter((one) => one.settled);
  return settled.length ? <details class="card"><summary>Settled already: <T>{settled.map((one) => nameOf(one, doc)).join("; ")}</T></summary>{settled.map((one) => <Issue issue={one} document={doc} />)}</details> : null;
}

/** The text as it stands, all of it in sight, to be copied or kept as a file. */
function Whole({ document: doc }: { document: DocumentTold }) {
  const [copied, note] = useState(false);
  return (
    <>
      <pre tabIndex={0} role="region" aria-label="Final document" class="whole text"><T>{doc.final}</T></pre>
      <p class="row"><Act do={async () => { await copyText(doc.final!); note(true); }}>{copied ? "Copied" : "Copy the text"}</Act><button type="button" onClick={() => save(`${doc.name}.md`, "text/markdown", doc.final!)}>Save it as a file</button></p>
    </>
  );
}

const linesOf = (text: string) => text.replace(/\n$/, "").split("\n");

/** One of the texts, with what the others do not have. */
function Source({ one, others }: { one: SourceTold; others: SourceTold[] }) {
  const known = others.map((other) => new Set(linesOf(other.text).map((line) => line.trim())));
  const differs = (line: string) => line.trim() && known.some((lines) => !lines.has(line.trim()));
  return (
    <section>
      <h4><Who>{one.name}</Who></h4>
      <pre tabIndex={0} role="region" aria-label={`Source ${one.name}`} class="source">{linesOf(one.text).map((line) => <>{differs(line) ? <mark><T>{line}</T></mark> : <T>{line}</T>}{"\n"}</>)}</pre>
    </section>
  );
}

const ROWS = 500; // of the table of fates, at first

/** The document that every seat accepts by its hash, and what became of each statement of the sources. */
function Signing({ document: doc, agent }: { document: DocumentTold; agent?: string }) {
  const { hash, accepted, missing, altered, fates } = doc.signing!;
  const [only, choose] = useState("");
  const [all, show] = useState(false);
  const kinds = [...new Set(fates.map((one) => one.fate))];
  const rows = fates.filter((one) => !only || one.fate === only);
  const undecided = fates.filter((one) => one.fate === "in conflict").length;
  const lost = fates.filter((one) => one.by === "final.md").map((one) => one.text);
  const last = missing.length === 1 && missing[0] === agent && accepted.length > 0;
  const accept = async () => {
    await api.takeTurn(doc.name, body({ agent: agent!, accepts: [{ issue: "final.md", hash }] }));
    toTop();
    renew("questions", "negotiations");
    set({ facts: state.facts + 1 });
  };
  return (
    <>
      <h3>{doc.is_final ? "What everybody accepted" : "The document to accept"}</h3>
      <p role="status">{accepted.length ? <>Accepted by <Names names={accepted} none="" /></> : "Nobody has accepted it yet"}{doc.is_final || !missing.length ? "." : <>; <Next document={doc} missing={missing} />.</>} <small class="soft">(version <code>{hash}</code>)</small></p>
      <LeftOut lines={lost} isFinal={doc.is_final} />
      {undecided ? <p class="warn">{undecided} lines of the texts may contradict each other, and nobody has decided between them. They stand together in the text.</p> : null}
      {altered.length ? <p class="warn">Not word for word in it: the decision on <Names names={altered} none="" />.</p> : null}
      {doc.final ? <Whole document={doc} /> : null}
      {fates.length ? (
        <details>
          <summary>What became of each of the {fates.length} lines: {kinds.map((kind) => `${fates.filter((one) => one.fate === kind).length} ${kind}`).join(", ")}</summary>
          <label class="inline"><span>Only</span><select value={only} onChange={(e) => choose(e.currentTarget.value)}><option value="">all</option>{kinds.map((kind) => <option>{kind}</option>)}</select></label>
          <table class="terms">
            <thead><tr><th scope="col">Place</th><th scope="col">What became of it</th><th scope="col">Line</th></tr></thead>
            <tbody>{(all ? rows : rows.slice(0, ROWS)).map((one) => <tr><th scope="row"><T>{one.place}</T></th><td class={one.fate === "kept" ? "" : "warn"}><T>{one.fate}</T>{one.by ? <> by <T>{one.by}</T></> : null}{one.against.length ? <> with <T>{one.against.join(", ")}</T></> : null}</td><td><T>{one.text}</T></td></tr>)}</tbody>
          </table>
          {rows.length > ROWS && !all ? <button type="button" onClick={() => show(true)}>Show {rows.length - ROWS} more</button> : null}
        </details>
      ) : null}
      {agent && !doc.is_final ? <>{last ? <p>Yours is the last acceptance: with it the negotiation ends.</p> : null}<Act class="primary" do={accept}>Accept this text</Act></> : null}
    </>
  );
}

/** Whose turn it is to accept the text, and who comes after: only one has the button. */
function Next({ document: doc, missing }: { document: DocumentTold; missing: string[] }) {
  const seats = doc.agents.map((one) => one.name), at = seats.indexOf(doc.holder ?? "");
  const later = [...seats.slice(at + 1), ...seats.slice(0, Math.max(0, at))].filter((one) => missing.includes(one)); // turns go round
  if (!doc.holder || !missing.includes(doc.holder)) return <>it waits for <Names names={missing} none="" /></>;
  return <>next is <Names names={[doc.holder]} none="" />{later.length ? <>, then <Names names={later} none="" /></> : null}</>;
}

/** Whoever came by a link brings a text of their own, as long as nobody has spoken. */
function Bring({ name, agent }: { name: string; agent: string }) {
  const [one, put] = useState({ name: "", text: "" });
  const called = useContext(Called).get(agent) ?? agent;
  const bring = async () => {
    if (!one.text.trim()) throw new Error("Type or paste your text first, or drop a file.");
    await api.bringSource(name, { agent, text: one.text });
    set({ facts: state.facts + 1 });
  };
  return (
    <section class="card" aria-label="Bring your text">
      <TextField one={one} put={(patch) => put((old) => ({ ...old, ...patch }))} says={`Your text, ${called} (if you have one of your own)`} />
      <Act do={bring}>Bring it</Act>
    </section>
  );
}

function Seat({ name }: { name: string }) {
  const at = useRef<HTMLInputElement>(null);
  const sit = async () => {
    const field = at.current!, agent = field.value;
    field.value = ""; // at once: what is typed for the next seat must stay
    try {
      await api.takeSeat(name, { agent });
    } catch (error) {
      field.value ||= agent;
      throw error;
    }
    renew("questions");
    set({ facts: state.facts + 1 });
  };
  return (
    <p class="row">
      <label class="inline"><span>Sit there as</span><input ref={at} pattern="[a-z][a-z0-9-]*" autocomplete="off" /></label>
      <Act class="primary" do={sit}>Take a seat</Act>
    </p>
  );
}

/** The lines of the texts that a point takes the place of: a list, up to the first line that is not one of it. */
const replacedBy = (issue: DocumentIssue) => (/In place of:\s*((?:- .*(?:\n|$))*)/.exec(issue.text)?.[1] ?? "").split("\n").map((line) => line.replace(/^- /, "").trim()).filter(Boolean);

/** What a turn says of a point in the place of some lines. */
const askOf = (title: string, lines: string[]) => (lines.length ? `${title}\n\nIn place of:\n\n${lines.map((one) => `- ${one}`).join("\n")}` : title);

/** What texts have in common, with "…" for what differs; empty where that says nothing. */
function commonOf(texts: string[]): string {
  const rows = texts.map((text) => bareLine(text).split(/\s+/)), first = rows[0] ?? [];
  const least = Math.min(...rows.map((row) => row.length));
  let head = 0, tail = 0;
  while (head < least && rows.every((row) => row[head] === first[head])) head++;
  while (tail < least - head && rows.every((row) => row.at(-1 - tail) === first.at(-1 - tail))) tail++;
  if (head === first.length) return beginning(first.join(" "));
  return head + tail < 2 ? "" : beginning([...first.slice(0, head), "…", ...first.slice(first.length - tail)].join(" "));
}

/** Whether a point is about the titles of the texts. */
const isTitle = (issue: DocumentIssue, doc: DocumentTold) => {
  const lines = replacedBy(issue), titles = doc.sources.flatMap(({ text }) => linesOf(text).filter((line) => /^#\s/.test(line)).map(bareTitle));
  return lines.length > 1 && lines.every((line) => titles.includes(line));
};

/** A point's name: what it is about. One that was opened by an offer alone has the offer's words as its title, and other
 * words may be agreed: then it is called by what all of them have in common. */
function nameOf(issue: DocumentIssue, doc: DocumentTold): string {
  if (isTitle(issue, doc)) return "The title";
  const gone = replacedBy(issue), offers = issue.entries.filter((one) => one.offer).map((one) => one.text.trim());
  if (![...offers, ...gone].some((text) => beginning(text) === issue.title || beginning(bareLine(text)) === issue.title)) return issue.title;
  const lines = gone.length > 1 ? gone : [...gone, ...offers];
  return commonOf([...new Set(lines)]) || (gone.length ? gone.map((line) => `“${beginning(line)}”`).join(" or ") : `Point ${doc.issues.indexOf(issue) + 1}`);
}

function Issue({ issue, document: doc, children }: { issue: DocumentIssue; document: DocumentTold; children?: unknown }) {
  const stand = issue.decision ? [issue.decision] : issue.entries.filter((one) => one.hash).map((one) => one.text); // every offer, until one is agreed
  const gone = replacedBy(issue).filter((line) => !stand.some((one) => one.trim() === line));
  return (
    <section class="card issue">
      <h3><T>{nameOf(issue, doc)}</T> <small class={issue.status === "AGREED" ? "good" : issue.status === "ESCALATE" ? "warn" : "soft"}>{issue.status.toLowerCase()}</small></h3>
      {gone.length ? <div class="soft">In place of: <ul>{gone.map((line) => <li><s><T>{line}</T></s></li>)}</ul></div> : null}
      {issue.decision ? <p class="good text"><T>{issue.decision}</T></p> : null}
      {issue.entries.filter((one) => one.kind !== "note").map((one) => <p class="text"><strong><Who>{one.by}</Who></strong> <small class="soft">{one.offer ? "offers" : one.kind}</small>: <T>{one.text}</T>{issue.settled || !one.accepted.length ? null : <small class="good inline"> accepted by <Names names={one.accepted} none="" /></small>}</p>)}
      <Accepted issue={issue} />
      {children as never}
    </section>
  );
}

/** Whom an acceptance leaves, while it is so: the notes of the files tell it to who writes files. */
function Accepted({ issue }: { issue: DocumentIssue }) {
  const seats = [...useContext(Called).keys()];
  const offers = issue.entries.filter((one) => one.hash);
  if (issue.settled || !offers.some((one) => one.accepted.length)) return null;
  const only = offers.length === 1 ? offers[0]! : null;
  const rest = only ? seats.filter((one) => one !== only.by && !only.accepted.includes(one)) : [];
  return <p class="soft" role="status">It is agreed once {rest.length ? <Names names={rest} none="" /> : "everybody"} {rest.length > 1 ? "accept" : "accepts"} the same words{rest.length ? ", too" : ""}.</p>;
}

type Said = { kind: string; hash: string; text: string };

const LINES = 60; // that are offered as replaced by a new point

interface Line {
  source: string;
  line: string;
}

type Pair = [Line, Line, string]; // and where they stand, if they are titles, of which the document can have one only

/** The titles of two texts, where the topic is one of them and the other text has another. */
function titlesOf(doc: DocumentTold): Pair[] {
  const titles = inOrder(doc).map(({ name, text }) => {
    const lines = linesOf(text), at = lines.findIndex((line) => line.trim());
    return { source: name, line: lines[at]?.startsWith("# ") ? bareTitle(lines[at]!) : "", place: `${name}:${at + 1}` };
  });
  const [one, other] = titles;
  if (titles.length !== 2 || !one?.line || !other?.line || one.line === other.line || ![one.line, other.line].includes(topicOf(doc))) return [];
  return [[one, other, `${one.place} against ${other.place}`]];
}

const topicOf = (doc: DocumentTold) => bareTitle(doc.topic.replace(/^# Topic\s+/, ""));

const bareLine = (line: string) => line.trim().replace(/^([-+*]|\d+[.)])\s+/, "");

const bareTitle = (line: string) => line.replace(/^#+\s*/, "").trim();

/** Where the texts differ, as far as no point has spoken of it: their titles, where the topic is the title of one of
 * them alone; two lines at the same place of two texts; and lines that stand alone. */
function differencesOf(doc: DocumentTold): { pairs: Pair[]; alone: Line[] } {
  const all = inOrder(doc).map((one) => ({ source: one.name, lines: linesOf(one.text).map(bareLine).filter(Boolean) }));
  const spoken = doc.issues.map((one) => JSON.stringify(one)).join("\n");
  const isOpen = (line: string) => line.includes(" ") && !/^(#|\||```|~~~)/.test(line) && !spoken.includes(JSON.stringify(line).slice(1, -1));
  const [first, second] = all;
  const paired = all.length === 2 ? pairLines(first!.lines, second!.lines).filter((pair, at, all) => pair.every(isOpen) && all.findIndex((one) => one[0] === pair[0]) === at).slice(0, LINES) : [];
  const pairs = [...paired.map(([one, other]): Pair => [{ source: first!.source, line: one }, { source: second!.source, line: other }, ""]), ...titlesOf(doc).filter(([, , places]) => !spoken.includes(places))];
  const alone = all
    .flatMap(({ source, lines }) => lines.filter((line) => isOpen(line) && all.some((other) => !other.lines.includes(line))).map((line) => ({ source, line })))
    .filter(({ line }) => !paired.flat().includes(line));
  return { pairs, alone: alone.slice(0, LINES) };
}

/** Both lines of a difference, as they stand in the texts: those of a list stay in it. */
const rawOf = (doc: DocumentTold, [one, other]: Pair) =>
  [one, other].map(({ source, line }) => linesOf(doc.sources.find(({ name }) => name === source)!.text).find((raw) => bareLine(raw) === line)!.trim()).join("\n");

/** Two lines at the same place: one of them, other words, or both as they are. */
function Difference({ pair, number, agent, taken, take }: { pair: Pair; number: number; agent: string; taken: string | undefined; take: (line: string | undefined) => void }) {
  const name = useId();
  const [one, other, places] = pair;
  const lines = [one, other];
  const words = taken && lines.every((one) => one.line !== taken) ? taken : "";
  return (
    <fieldset class="pick differs" role="radiogroup" aria-label={`Difference ${number}`}>
      {lines.map(({ source, line }) => <label class="tick"><input type="radio" name={name} checked={taken === line} onChange={() => take(line)} /><span><T>{line}</T> <small class="soft inline">{source === agent ? "yours" : <Who>{source}</Who>}</small></span></label>)}
      <span class="row tight"><label class="tick"><input type="radio" name={name} checked={taken === "" || Boolean(places && words)} onChange={() => take("")} /><span class="soft">{places || words ? "neither" : "both stay"}</span></label>
      <input class={`grow ${words ? "chosen" : ""}`} aria-label={`Other words, difference ${number}`} placeholder="or other words" autocomplete="off" value={words} onInput={(e) => take(e.currentTarget.value || undefined)} /></span>
    </fieldset>
  );
}

/** The first sentence of a text, whole or up to a word: a name for a point. */
const beginning = (text: string) => (text.length <= 90 ? text : `${text.slice(0, 89).replace(/\s+\S*$/, "")} …`).split("\n")[0]!.replace(/[.:;,]+$/, "");

/** Which texts there are so far, for whoever speaks first. Not everybody has one to bring. */
const TextsSoFar = ({ document: doc }: { document: DocumentTold }) =>
  doc.sources.length && doc.sources.length < doc.expected_agents ? <> So far there {doc.sources.length === 1 ? "is the text" : "are the texts"} of <Names names={doc.sources.map((one) => one.name)} none="" />. If somebody brings another, you choose here where they differ; you need not wait for it.</> : null;

/** A whole turn: a word on each open point, new points, then all of it at once. */
function Turn({ document: doc, agent }: { document: DocumentTold; agent: string }) {
  const [says, say] = useState<Record<string, Said>>({});
  const title = useRef<HTMLInputElement>(null);
  const words = useRef<HTMLTextAreaElement>(null);
  const [gone, replace] = useState<string[]>([]); // lines of the texts that the new point takes the place of
  const [taken, take] = useState<Record<string, string | undefined>>({}); // what is to stand, by the first line of a difference; "" for both
  const { pairs, alone } = differencesOf(doc);
  const open = doc.issues.filter((one) => !one.settled);
  const offered = (issue: DocumentIssue) => issue.entries.filter((one) => one.hash && one.by !== agent);
  /** The words on a point that "all of it" means: those chosen above, else the only ones that there are. */
  const chosen = (issue: DocumentIssue) => {
    const of = offered(issue), said = says[issue.stem];
    return said?.kind === "accept" ? of.find((one) => one.hash === said.hash) : new Set(of.map((one) => one.text.trim())).size === 1 ? of.at(-1) : undefined;
  };
  const put = (stem: string, patch: Partial<Said>) => say((old) => ({ ...old, [stem]: { kind: "offer", hash: "", text: "", ...old[stem], ...patch } }));
  /** `text`: the hash of the document that these words make, which is accepted with them. */
  const hand = async (all: Record<string, Said>, text = "") => {
    const turn = turnOf(agent, all);
    const isSaid = Object.keys(all).length || title.current?.value.trim() || words.current?.value.trim() || Object.values(taken).some((line) => line?.trim());
    for (const pair of pairs) {
      const both = taken[pair[0].line] === "" && !pair[2] && !isSaid; // beside other words it goes without saying
      const line = both ? rawOf(doc, pair) : taken[pair[0].line]?.trim();
      if (!line) continue;
      const named = both ? beginning(pair[0].line) : beginning(line);
      turn.issues!.push({ title: named, question: [pair[2], askOf(named, [pair[0].line, pair[1].line])].filter(Boolean).join("\n\n") });
      turn.offers!.push({ issue: named, text: line });
    }
    const point = words.current?.value.trim() ?? "";
    const named = title.current?.value.trim() || beginning(point);
    if (gone.length && !point) throw new Error("Say what is to stand in the place of the lines that you ticked.");
    if (named) {
      turn.issues!.push({ title: named, question: askOf(named, gone) });
      if (point) turn.offers!.push({ issue: named, text: point });
    }
    if (text && turn.issues!.length) throw new Error("You say more than that, so the text will be another. Hand the turn over with it.");
    if (text) turn.accepts_final = text;
    if (!Object.values(turn).some((one) => Array.isArray(one) && one.length)) throw new Error("Say something first: what the one document is to say, or whose words you accept.");
    await api.takeTurn(doc.name, body(turn));
    toTop();
    say({});
    replace([]);
    take({});
    renew("questions", "negotiations");
    set({ facts: state.facts + 1 });
  };
  const only = Object.values(says).every((one) => one.kind === "accept");
  const whole = only && open.length && open.every(chosen) ? Object.fromEntries(open.map((one) => [one.stem, { kind: "accept", hash: chosen(one)!.hash!, text: "" }])) : null;
  const foreseen = whole ? doc.foreseen : null; // what comes of accepting all of it
  const unclear = only && open.every((one) => offered(one).length) ? open.filter((one) => !chosen(one)) : [];
  return (
    <section class="turn" aria-label={`The turn of ${agent}`}>
      <h3>Your turn as <Who>{agent}</Who></h3>
      {open.map((issue) => {
        const offers = offered(issue);
        const said = says[issue.stem];
        return (
          <Issue issue={issue} document={doc}>
            <p class="row tight">{offers.map((one) => (
              <button type="button" aria-pressed={said?.kind === "accept" && said.hash === one.hash} onClick={() => put(issue.stem, { kind: "accept", hash: one.hash! })}>Accept <Who>{one.by}</Who>'s words</button>
            ))}
            {replacedBy(issue).filter((line) => offers.length && offers.every((one) => one.text.trim() !== line)).map((line) => (
              <button type="button" aria-pressed={said?.kind === "offer" && said.text === line} onClick={() => put(issue.stem, { kind: "offer", text: line })}>Rather “<T>{line}</T>”</button>
            ))}</p>
            <p class="row">
              <label class="inline"><span>{offers.length ? "Or say" : "Say"}</span>
                <select value={said?.kind === "accept" ? "offer" : (said?.kind ?? "offer")} onChange={(e) => put(issue.stem, { kind: e.currentTarget.value })}>
                  <option value="offer">the words I offer</option><option value="position">where I stand</option><option value="escalate">what divides us</option>
                </select>
              </label>
            </p>
            <label><span>Your words on “<T>{nameOf(issue, doc)}</T>”</span><textarea rows={3} value={said?.text ?? ""} onInput={(e) => put(issue.stem, { text: e.currentTarget.value, kind: said && said.kind !== "accept" ? said.kind : "offer" })} /></label>
          </Issue>
        );
      })}
      <Settled document={doc} />
      {pairs.length ? (
        <section aria-label="Where the texts differ">
          {pairs.some(([, , places]) => !places) ? <h4>Where the texts differ: what is to stand?</h4> : null}
          {pairs.map((pair, i) => {
            const difference = <Difference key={pair[0].line} pair={pair} number={i + 1} agent={agent} taken={taken[pair[0].line]} take={(line) => take((old) => ({ ...old, [pair[0].line]: line }))} />;
            return pair[2] ? <details key="title"><summary>The title <span class="soft">(as long as nobody chooses one, “What was agreed” stands there)</span></summary>{difference}</details> : difference;
          })}
        </section>
      ) : null}
      {doc.issues.length ? null : <p class="soft">What you say nothing about stays as it is in the texts.<TextsSoFar document={doc} /></p>}
      <details open={!doc.issues.length && !pairs.length}>
        <summary>{doc.issues.length || pairs.length ? "Another point" : "The first point"}</summary>
        <label><span>What the one document is to say</span><textarea ref={words} rows={3} /></label>
        {alone.length ? (
          <fieldset class="pick stacked">
            <legend>It takes the place of</legend>
            {alone.map(({ source, line }) => <label class="tick"><input type="checkbox" checked={gone.includes(line)} onChange={() => replace(gone.includes(line) ? gone.filter((one) => one !== line) : [...gone, line])} /><span><T>{line}</T> <small class="soft"><Who>{source}</Who></small></span></label>)}
          </fieldset>
        ) : null}
        <label><span>Title (optional)</span><input ref={title} autocomplete="off" /></label>
      </details>
      {foreseen ? <Foreseen of={foreseen} /> : null}
      <p class="row bar">
        {whole && foreseen ? <Act class="primary" do={() => hand(whole, foreseen.hash)}>{open.length > 1 ? "Accept all of it, and this text" : "Accept it, and this text"}</Act> : null}
        {whole ? <><Act class={foreseen ? "" : "primary"} do={() => hand(whole)}>{open.length > 1 ? "Accept all of it, and hand over" : "Accept it, and hand over"}</Act><small class="soft">in the words of <Names names={[...new Set(open.map((one) => chosen(one)!.by))]} none="" /></small></> : null}
        {unclear.length ? <small class="wait" role="status">Different words stand on {unclear.map((one) => `“${plain(nameOf(one, doc))}”`).join(", ")}: choose above whose you accept.</small> : null}
        <Act class={whole ? "" : "primary"} do={() => hand(says)}>Hand the turn over</Act>
      </p>
    </section>
  );
}

const NAMED = 4; // lines that are named; the table has all of them

/** What a text leaves out although nobody decided that. */
const LeftOut = ({ lines, isFinal }: { lines: string[]; isFinal?: boolean }) =>
  lines.length ? <p class="warn">{isFinal ? "It leaves out what nobody decided: " : "It leaves out what nobody decided, and who accepts it drops that: "}<T>{lines.slice(0, NAMED).map((one) => `“${bareTitle(one)}”`).join(", ")}</T>{lines.length > NAMED ? `, and ${lines.length - NAMED} more lines` : ""}.</p> : null;

/** The text that comes of accepting what is offered: whoever reads it here need not come back for it. */
function Foreseen({ of }: { of: DocumentForeseen }) {
  return (
    <section aria-label="What comes of it">
      <h4>Accepted, it makes this text</h4>
      <LeftOut lines={of.left_out} />
      {of.undecided ? <p class="warn">{of.undecided} lines of the texts may contradict each other, and nobody has decided between them. They stand together in the text.</p> : null}
      <pre tabIndex={0} role="region" aria-label="The text that comes of it" class="whole text"><T>{of.text}</T></pre>
    </section>
  );
}

/** What was said on each point, as a turn. */
function turnOf(agent: string, says: Record<string, Said>): TurnRequest {
  const turn: TurnRequest = { agent, accepts: [], offers: [], positions: [], escalations: [], issues: [] };
  for (const [issue, said] of Object.entries(says)) {
    if (said.kind === "accept") turn.accepts!.push({ issue, hash: said.hash });
    else if (said.text.trim()) ({ offer: turn.offers, position: turn.positions, escalate: turn.escalations }[said.kind] ?? turn.positions)!.push({ issue, text: said.text });
  }
  return turn;
}
