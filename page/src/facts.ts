// The facts of a negotiation: read once and read on, and each in a colleague's words.
import { useEffect, useState } from "preact/hooks";
import type { Fact } from "../../clients/typescript/graphbus";
import { plain } from "./json";
import { api, useStore } from "./store";

type Data = Record<string, any>; // a fact's data: each kind has its own

const MAX_FACTS = 5_000;
const NOTHING: Fact[] = [];

let known: { id: string; facts: Fact[] } = { id: "", facts: NOTHING }; // of one negotiation: facts never change, and what was read is read on
let reading: { id: string; done: Promise<Fact[]> } | null = null; // two that show the same ask once

async function readOn(id: string): Promise<Fact[]> {
  const found = known.id === id ? [...known.facts] : [];
  const before = found.length;
  for (let next: string | null = String(found.at(-1)?.seq ?? 0); next !== null && found.length < MAX_FACTS; ) {
    const part = await api.listFacts(id, { after: Number(next), limit: 500 });
    found.push(...part.items);
    next = part.next;
  }
  if (known.id !== id || found.length > before) known = { id, facts: found };
  return known.facts;
}

function factsOf(id: string): Promise<Fact[]> {
  if (reading?.id === id) return reading.done;
  const own = { id, done: readOn(id).finally(() => reading === own && (reading = null)) };
  reading = own;
  return own.done;
}

/** The facts of a negotiation as far as they are known; none where no id is given. */
export function useFacts(id: string): Fact[] {
  const { facts: changed } = useStore();
  const [found, keep] = useState(known);
  useEffect(() => {
    let here = true;
    if (id) factsOf(id).then((facts) => here && keep((old) => (old.id === id && old.facts === facts ? old : { id, facts })), () => here && keep({ id, facts: NOTHING }));
    return () => void (here = false);
  }, [id, changed]);
  return id && found.id === id ? found.facts : NOTHING;
}

/** Who it was: the operator's own chair is whoever looks. */
export const nameOf = (who: string | null | undefined) => (who === "human" || who === "decider" ? "You" : (who ?? ""));

/** What each proposal is called, by its id. */
export function namesOf(facts: Fact[]): Map<string, string> {
  const all = facts.map(({ data }) => (data as Data).proposal as Data | undefined);
  const ids = facts.map(({ data }) => String((data as Data).proposal_id ?? (data as Data).proposal?.proposal_id ?? (data as Data).proposal?.id ?? ""));
  return new Map(all.flatMap((one, i) => (one?.summary && ids[i] ? [[ids[i]!, String(one.summary)] as const] : [])));
}

const many = (n: number, one: string) => `${n} ${one}${n === 1 ? "" : "s"}`;

const SAYS: Record<string, (data: Data, what: string) => string> = {
  negotiation_opened: () => "it began",
  round_started: (data) => `round ${data.round} began`,
  proposals_made: (data) => `${data.agent} ${data.proposals?.length ? `has ${many(data.proposals.length, "proposal")}` : data.questions?.length ? "asks what is meant" : "proposes nothing"}`,
  question_settled: (data) => `${nameOf(data.by)} answered what is meant: ${data.choice ?? "nothing"}`,
  proposer_silent: (data) => `${data.agent} gave no answer`,
  proposal_tabled: (_, what) => `put to the others: ${what}`,
  proposal_dropped: (_, what) => `not put to anybody: ${what}`,
  proposal_queued: (_, what) => `waits for the next round: ${what}`,
  proposal_stood_again: (_, what) => `asked about again: ${what}`,
  evaluation_opened: () => "the others are asked",
  proposal_evaluated: (data, what) => `${data.evaluator}: ${String(data.evaluation?.decision ?? "no answer").replaceAll("_", " ")}, on ${what}`,
  evaluator_silent: (data, what) => `${data.evaluator} gave no answer, on ${what}`,
  proposal_agreed: (_, what) => `agreed: ${what}`,
  proposal_contested: (_, what) => `not all agree: ${what}`,
  proposal_rejected: (_, what) => `fell: ${what}`,
  proposal_deferred: (_, what) => `put off: ${what}`,
  proposal_heard_again: (_, what) => `agreed again: ${what}`,
  proposal_superseded: (_, what) => `overtaken by another change: ${what}`,
  arbitration_opened: () => "the arbiter is asked",
  ruled: (data) => `${nameOf(data.arbiter)} ruled: ${String(data.ruling?.decision ?? "").replaceAll("_", " ")}`,
  arbiter_silent: (data) => `${data.arbiter} gave no answer`,
  commits_opened: () => "what is agreed is tried",
  commit_prepared: (_, what) => `passed its gates: ${what}`,
  commit_approved: (data, what) => `${nameOf(data.by)} approved: ${what}`,
  proposal_withdrawn: (data, what) => `${nameOf(data.by)} declined: ${what}`,
  proposal_committed: (data, what) => `${(data.receipt?.notes ?? []).some((note: string) => note.startsWith("dry run")) ? "in a copy of the files" : "in the files"}: ${what}`,
  commit_failed: (_, what) => `refused by a gate: ${what}`,
  round_closed: (data) => `round ${data.round} ended`,
  stop_requested: (data) => `${nameOf(data.by)} asked for the end`,
  negotiation_ended: () => "it ended",
};

/** A fact in a few words: who, and what became of it. */
export function wordsOf({ kind, data: raw }: Fact, names: Map<string, string>): string {
  const data = raw as Data;
  const id = String(data.proposal_id ?? data.proposal?.proposal_id ?? data.proposal?.id ?? "");
  const words = SAYS[kind]?.(data, names.get(id) ?? id) ?? kind.replaceAll("_", " ");
  return plain(words);
}

/** What is known of a round before all of it is put to the others: who has proposals, and who asks first. */
export function sayWaiting(facts: Fact[]): string {
  const began = facts.reduce((found, { kind }, i) => (kind === "round_started" ? i : found), 0);
  const since = facts.slice(began).map(({ kind, data }) => ({ kind, data: data as Data }));
  const count = (kinds: string[], by?: string) => since.filter(({ kind, data }) => kinds.includes(kind) && (!by || (data.proposal?.proposer ?? data.proposer ?? data.agent) === by)).length;
  if (count(["evaluation_opened", "round_closed"])) return "";
  const answers = since.filter(({ kind }) => kind === "proposals_made").map(({ data }) => data);
  const says = answers.flatMap(({ agent, proposals = [], questions = [] }) => {
    const held = proposals.length - count(["proposal_tabled", "proposal_dropped"], agent);
    if (held > 0) return [`${agent} has ${many(held, "proposal")} that the others are not asked about yet.`];
    return questions.length > count(["question_settled"], agent) ? [`${agent} asks what is meant before it proposes.`] : [];
  });
  return says.join(" ");
}
