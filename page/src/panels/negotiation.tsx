// Negotiations: the list with its filters, one of them with its rounds, a proposal with votes, gates, diff and undo.
import { useEffect, useRef, useState } from "preact/hooks";
import type { NegotiationShort, ProposalTold, Undone } from "../../../clients/typescript/graphbus";
import { Act, Diff, Gates, Names, Ops, Proposer, T, useLoaded, Says } from "../kit";
import { shown } from "../json";
import { save } from "../save";
import { api, atOf, renew, set, to, toThen, useStore } from "../store";
import { dayOf } from "../clock";
import { sayWaiting, useFacts } from "../facts";
import { mendedRows } from "../mended";
import { Votes } from "./inbox";

/** How it was decided, as a colleague says it. */
const DECIDED: Record<string, string> = {
  unanimous: "all who were asked agreed",
  majority: "most of those who were asked agreed",
  arbiter: "the arbiter ruled",
  gates: "nobody had to be asked",
};

/** What each kind of negotiation is called, and how it stands. */
const KINDS: Record<string, string> = { proposal: "build", consent: "decision", document: "document" };
const STATES: Record<string, string> = { unfinished: "interrupted", running: "under way", damaged: "its log is damaged" };
/** What became of a proposal, where the log has another word for it. */
const OUTCOMES: Record<string, string> = { tabled: "the others are asked", superseded: "overtaken by another change", commit_failed: "refused by a gate", withdrawn: "declined by a person" };
const outcomeOf = (outcome: string) => OUTCOMES[outcome] ?? outcome.replaceAll("_", " ");

/** Of what, and how it stands: in a line. */
function shortOf({ id, kind, question, state, dry_run, outcome, started_at }: NegotiationShort): string {
  const when = kind !== "proposal" && question ? ` ${id}` : started_at ? ` of ${dayOf(started_at)}` : ""; // a build's id is its time
  return `${dry_run ? "Dry run" : `${KINDS[kind] ?? kind}`.replace(/^./, (one) => one.toUpperCase())}${when}, ${STATES[state] ?? state}${outcome ? `: ${outcome}` : ""}`;
}

export function Negotiations() {
  const { negotiations } = useStore();
  const [kind, choose] = useState("");
  const shown = negotiations.filter((one) => !kind || one.kind === kind);
  return (
    <>
      <h2>{negotiations.length ? "Negotiations" : "Nothing was negotiated yet"}</h2>
      {negotiations.length ? (
        <label class="inline"><span>Kind</span>
          <select value={kind} onChange={(e) => choose(e.currentTarget.value)}><option value="">all</option>{Object.entries(KINDS).map(([one, word]) => <option value={one}>{word}s</option>)}</select>
        </label>
      ) : null}
      <ul class="list">
        {shown.map((one) => (
          <li>
            <a href={to(one.kind === "proposal" ? "negotiation" : one.kind, one.id)} title={one.id}><T>{one.question || one.id}</T></a>
            <small class={one.state === "damaged" ? "bad" : "soft"}><T>{shortOf(one)}</T> <Says>{one.damage}</Says></small>
          </li>
        ))}
      </ul>
    </>
  );
}

const MANY = 9; // proposals, from which on one looks for some of them

export function NegotiationPanel({ id, at }: { id: string; at: number | null }) {
  const { facts, questions } = useStore();
  const known = useFacts(id);
  const { value, error } = useLoaded(() => api.getNegotiation(id, at === null ? {} : { at }), [id, at], [facts]);
  const [filter, choose] = useState("");
  const [who, name] = useState("");
  const [type, kind] = useState("");
  const [words, search] = useState("");
  const [verified, verify] = useState("");
  if (error) return <><h2>Negotiation</h2><p class="bad"><Says>{error}</Says></p><p><a href={to("negotiations")}>All of them</a></p></>;
  if (!value || value.id !== id) return <p class="soft">Loading …</p>;
  const log = value.log;
  if (!log) return <p><a href={to(value.kind, id)}>{id}</a></p>;
  const all = log.rounds.flatMap((one) => one.proposals);
  const goesOn = !log.ended && (value.state === "running" || at !== null); // then, and not today
  const waiting = sayWaiting(at === null ? known : known.slice(0, at));
  const outcomes = [...new Set(all.map((one) => one.outcome))];
  const waits = value.state === "running" && questions.length > 0;
  const types = [...new Set(all.flatMap((one) => one.type ?? []))];
  const speaks = (one: ProposalTold) => JSON.stringify([one.id, one.summary, one.rationale, one.diff, one.evaluations, one.why]).toLowerCase().includes(words.toLowerCase());
  const fits = (one: ProposalTold) => (!words || speaks(one)) && (!type || one.type === type) && (!filter || one.outcome === filter) && (!who || one.proposer === who || one.evaluations.some((said) => said.agent === who));
  return (
    <>
      <h2><T>{value.question || id}</T></h2>
      {value.question ? <p class="soft"><T>{id}</T></p> : null}
      <p role="status">
        {at === null ? value.state : `Replay: as it stood after fact ${Math.min(at, value.events)} of ${value.events}`}{value.dry_run ? ", a dry run: nothing was changed" : ""}; {value.outcome || (at === null ? "nothing is decided" : "nothing was decided yet")}
        {log.ended ? <>; <Says>{log.ended.why}</Says></> : null}
      </p>
      {log.intent ? <p>Intent: <T>{log.intent}</T></p> : null}
      {waits ? <p class="wait"><a href={to("inbox")}>A person is asked</a></p> : null}
      {all.length >= MANY ? (
        <p class="row filters">
          <label class="inline"><span>Outcome</span><select onChange={(e) => choose(e.currentTarget.value)}><option value="">all</option>{outcomes.map((one) => <option value={one}>{outcomeOf(one)}</option>)}</select></label>
          <label class="inline"><span>Who</span><select onChange={(e) => name(e.currentTarget.value)}><option value="">all</option>{log.agents.map((one) => <option>{one}</option>)}</select></label>
          <label class="inline"><span>Type</span><select onChange={(e) => kind(e.currentTarget.value)}><option value="">all</option>{types.map((one) => <option value={one}>{one.replaceAll("_", " ")}</option>)}</select></label>
          <label class="inline"><span>Contains</span><input type="search" value={words} onInput={(e) => search(e.currentTarget.value)} /></label>
        </p>
      ) : all.length ? null : <p class="soft">{goesOn ? waiting || "Nobody proposed anything yet." : "Nobody proposed anything."}</p>}
      {log.rounds.map((round) => (
        <section>
          <h3>Round {round.round}</h3>
          {all.length ? sayRound(round.proposals.length, goesOn && round === log.rounds.at(-1), waiting) : null}
          <ul class="list">
            {round.proposals.filter(fits).map((one) => (
              <li class={`outcome ${one.outcome}`}>
                <a href={toThen({ negotiation: id, at }, "proposal", id, one.id)}><T>{one.summary || one.id}</T></a>
                <small><Proposer of={one} start />: <T>{outcomeOf(one.outcome)}</T>{one.undone ? ", taken back" : ""}{one.why ? <> — <Says>{one.why}</Says></> : null}</small>
                {again(log.rounds, round.round, one).map(({ round: later, proposal }) => <small>It was proposed again in round {later}: <a href={toThen({ negotiation: id, at }, "proposal", id, proposal.id)}><T>{outcomeOf(proposal.outcome)}</T></a></small>)}
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p class="row">
        <Act do={async () => { const said = await api.verifyNegotiation(id); verify(said.is_sound ? `Sound: ${said.facts} facts, ${said.answers} answers.` : `Damaged: ${said.damage}`); }}>Verify its log</Act>
        <Act do={async () => save(`${id}.json`, "application/json", `${shown(await api.getNegotiation(id))}\n`)}>Save it as JSON</Act>
        <span role="status">{verified}</span>
      </p>
    </>
  );
}

/** What is said of a round beside its proposals. */
function sayRound(proposed: number, goesOn: boolean, waiting: string) {
  const says = goesOn ? waiting || (proposed ? "" : "Nothing was proposed yet.") : proposed ? "" : "Nothing new was proposed.";
  return says ? <p class="soft">{says}</p> : null;
}

/** Where what was overtaken was proposed once more: the same change by the same agent, in a later round. */
function again(rounds: { round: number; proposals: ProposalTold[] }[], round: number, of: ProposalTold) {
  if (of.outcome !== "superseded") return [];
  const same = (one: ProposalTold) => one.proposer === of.proposer && JSON.stringify(one.diff) === JSON.stringify(of.diff);
  return rounds.filter((one) => one.round > round).flatMap((one) => one.proposals.filter(same).map((proposal) => ({ round: one.round, proposal }))).slice(0, 1);
}

export function ProposalPanel({ negotiation, id }: { negotiation: string; id: string }) {
  const { facts, route } = useStore();
  const at = atOf(route);
  const { value, error } = useLoaded(() => api.getNegotiation(negotiation, at === null ? {} : { at }), [negotiation, at], [facts]);
  const put = useFacts(negotiation).find((fact) => fact.kind === "evaluation_opened" && (fact.data.proposals as string[]).includes(id));
  const [undone, told] = useState<Undone | null>(null);
  const came = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (undone) came.current?.scrollIntoView({ block: "center" });
  }, [undone]);
  if (error) return <><h2>Proposal</h2><p class="bad"><Says>{error}</Says></p></>;
  const one = value?.log?.rounds.flatMap((round) => round.proposals).find((p) => p.id === id);
  const back = <a href={toThen({ negotiation, at }, "negotiation", negotiation)}><T>{negotiation}</T></a>;
  if (!one) return <><h2>Proposal</h2><p class="soft">{!value ? "Loading …" : at === null ? "It is not in that negotiation." : <>After fact {at} of {back} it was not proposed yet.</>}</p></>;
  const undo = async (allow: boolean) => {
    told(await api.undoProposal(id, { allow_mismatches: allow }));
    set({ facts: facts + 1 });
    renew("picture", "negotiations");
  };
  return (
    <>
      <h2><T>{one.summary || one.id}</T></h2>
      <p class="soft">{back}, <T>{one.id}</T>{at === null ? null : <>; as it stood after fact {at} of {value!.events}</>}{put && put.seq !== at ? <>; <a href={toThen({ negotiation, at: put.seq }, "proposal", negotiation, id)}>as it was put to the others</a></> : null}</p>
      <p>
        <strong><T>{outcomeOf(one.outcome)}</T></strong>{one.undone ? <span class="warn">, taken back</span> : null}
        {one.decided_by ? <>; <T>{DECIDED[one.decided_by] ?? `decided by ${one.decided_by}`}</T></> : null}{one.why && !one.gates?.failed ? <>: <Says>{one.why}</Says></> : null}
      </p>
      {one.gates?.failed ? <p class="bad"><Says>{one.gates.failed.reason}</Says></p> : null}
      <p>Proposed by <Proposer of={one} />. <span class="soft"><T>{one.rationale}</T></span></p>
      <h3>Who agreed</h3>
      <Votes votes={[...one.evaluations, ...(one.approved ? [{ agent: one.approved.by === "human" ? "You" : one.approved.by, decision: "accept", reasoning: one.approved.reason || "approved it" }] : [])] as never} isOpen={one.outcome === "tabled"} />
      {one.arbitration ? <p>Ruled by <T>{one.arbitration.arbiter}</T>: <strong><T>{one.arbitration.decision}</T></strong>. <T>{one.arbitration.ruling}</T></p> : null}
      <h3>What it does</h3>
      <Ops diff={one.diff} />
      <dl class="facts">
        {mendedRows(one.fixes, one.left).map(({ says, look, what }) => <><dt>{says}</dt><dd class={look}>{what}</dd></>)}
        <dt>Breaks</dt><dd class={one.breaks.length ? "bad" : ""}><Names names={one.breaks} none="no link" /></dd>
        {one.unsent.length ? <><dt>Loses</dt><dd class="warn"><T>{one.unsent.join(" ")}</T></dd></> : null}
        {one.never_sent.length ? <><dt>Mind</dt><dd><T>{one.never_sent.join(" ")}</T></dd></> : null}
      </dl>
      {one.gates ? <><h3>Gates</h3><Gates gates={one.gates.ends.map((gate) => (gate.end === "refused" ? { ...gate, why: "" } : gate))} /></> : null}
      <Diff text={one.unified_diff} />
      {at === null && one.outcome === "committed" && !one.undone && !value?.dry_run ? <Act do={() => undo(false)}>Undo</Act> : null}
      <div ref={came}>
      {undone && !undone.passes ? (
        <p class="bad" role="status">
          It is not taken back: <Says>{undone.reason}</Says>{" "}
          {undone.gate === "mismatches" ? <Act do={() => undo(true)}>Undo it all the same</Act> : null}
        </p>
      ) : null}
      {undone?.done ? <p class="good" role="status">It is taken back: <Names names={undone.files} none="no file" />.</p> : null}
      </div>
    </>
  );
}
