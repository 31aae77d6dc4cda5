// What the page knows, and how it learns of changes: one state, loaded once, renewed by what the stream tells.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Build, GraphBus, type Me, type NegotiationShort, type Picture, type Question, Refused, type RuntimeTold } from "../../clients/typescript/graphbus";
import { timeOf } from "./clock";
import { read, write } from "./json";
import { askForToken, forget, held, hold, ofLink, ofSeat, shareToken } from "./session";

export interface BusEvent {
  seq: number;
  at: number;
  event_id: string;
  topic: string;
  src: string;
  payload: unknown;
}

export interface Route {
  kind: string;
  id: string;
  rest: string[];
  query: URLSearchParams;
}

/** The project as it was from fact `from` of a negotiation until the next that changed it. */
export interface Past {
  negotiation: string;
  from: number;
  until: number;
  last: number; // how many facts there are
  picture: Picture;
}

export interface State {
  live: string;
  refused: boolean;
  lost: number; // since when the server does not answer, in epoch seconds; 0 where it does
  why: string; // why the key of this seat opens nothing any more
  taken: boolean; // somebody has sat down with the link that was opened here
  me: Me | null; // who I am here: the operator, or a seat
  route: Route;
  picture: Picture | null;
  runtime: RuntimeTold | null;
  builds: Build[];
  questions: Question[];
  negotiations: NegotiationShort[];
  events: BusEvent[];
  thinking: string[];
  facts: number;
  toast: string;
  went: boolean; // what the toast says is good news
  palette: boolean;
  folded: boolean; // the time axis where it is the subject, by whoever looks
  pulled: boolean; // the time axis where it is not, for as long as this page is open
  past: Past | null; // the project at a fact, for the address that asks for it
  expecting: string | null;
  forking: string | null;
  loaded: boolean;
}

const FLUSH_MS = 250;
const KEPT_EVENTS = 500; // shown on the axis and in the list; the server keeps more
const stored = "graphbus-token";
const FOLDED = "graphbus-axis-folded";
const BY_LINK = "graphbus-by-link"; // whether this tab was opened by the link of a seat, and not by the operator's address
const place = "graphbus-after"; // STREAM:NUMBER of the last message seen

export const token = () => sessionStorage.getItem(stored) ?? "";
export const api = new GraphBus("", "", read);
const send = write as (value: unknown) => string;

/** A body with large integers as they were typed. */
export const body = <T,>(value: T): T => send(value) as unknown as T;

export let state: State = {
  live: "connecting …",
  refused: false,
  lost: 0,
  why: "",
  taken: false,
  me: null,
  route: parsed(),
  picture: null,
  runtime: null,
  builds: [],
  questions: [],
  negotiations: [],
  events: [],
  thinking: [],
  facts: 0,
  toast: "",
  went: false,
  palette: false,
  folded: localStorage.getItem(FOLDED) === "yes",
  pulled: false,
  past: null,
  expecting: null,
  forking: null,
  loaded: false,
};

const listeners = new Set<() => void>();
let scheduled = false;

/** Change the state; everybody who shows it draws once, in the next frame. */
export function set(patch: Partial<State>) {
  state = { ...state, ...patch };
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    for (const one of [...listeners]) one();
  });
}

/** The state, to read from. Who reads it draws again when what it read has changed, and not for the rest: in a flood of
 * events the picture and a half-filled form are left alone. */
export function useStore(): State {
  const [, draw] = useState(0);
  const read = useRef(new Set<string | symbol>()).current;
  const drawn = useRef(state);
  drawn.current = state;
  useEffect(() => {
    const one = () => {
      const old = drawn.current;
      for (const key of read) if (old[key as keyof State] !== state[key as keyof State]) return draw((n) => n + 1);
    };
    listeners.add(one);
    one();
    return () => void listeners.delete(one);
  }, []);
  return new Proxy(state, {
    get(all, key) {
      read.add(key);
      return all[key as keyof State];
    },
  });
}

/** Whether what an address shows has a time of its own: a negotiation, or what the bus does. */
export const hasTime = (route: Route) => thenOf(route) !== null || ["runtime", "event"].includes(route.kind);

/** Whether the time axis is open: where it is the subject unless somebody closed it, and elsewhere if somebody opened it. */
export const isAxisOpen = ({ route, folded, pulled }: State) => (hasTime(route) ? !folded : pulled);

/** Close the time axis, or open it again; where it is the subject the next visit finds it so. */
export function foldAxis() {
  if (!hasTime(state.route)) return set({ pulled: !state.pulled });
  localStorage.setItem(FOLDED, state.folded ? "no" : "yes");
  set({ folded: !state.folded });
}

/** Be told of every change without drawing. */
export function watch(one: () => void) {
  listeners.add(one);
  return () => void listeners.delete(one);
}

// ---------------------------------------------------------------- addresses

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a percent sign of its own
  }
}

export function parsed(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [kind = "", ...rest] = path.split("/").map(decoded);
  return { kind, id: rest[0] ?? "", rest, query: new URLSearchParams(query) };
}

export const to = (...parts: string[]) => `#/${parts.map(encodeURIComponent).join("/")}`;

/** Which negotiation an address speaks of, and after which fact; null: as it stands, or as it ended. */
export interface Then {
  negotiation: string;
  at: number | null;
}

const OWN = ["negotiation", "proposal"]; // addresses that name their negotiation
const OF = ["link", "node", "field"]; // those that may be asked for as of then

/** The negotiation that an address speaks of; null where it speaks of today. */
export function thenOf({ kind, id, query }: Route): Then | null {
  const [at, of] = [query.get("at"), query.get("of")];
  const number = at === null ? null : Number(at) || 0;
  if (OWN.includes(kind)) return { negotiation: id, at: number };
  return OF.includes(kind) && of !== null && number !== null ? { negotiation: of, at: number } : null;
}

/** The fact that an address asks to be shown the negotiation at; null where it is followed. */
export const atOf = (route: Route): number | null => thenOf(route)?.at ?? null;

/** An address as of then; that of today where there is no fact. */
export function toThen(then: Then | null, ...parts: string[]): string {
  if (!then || then.at === null) return to(...parts);
  return `${to(...parts)}?${OWN.includes(parts[0]!) ? "" : `of=${encodeURIComponent(then.negotiation)}&`}at=${then.at}`;
}

export const go = (...parts: string[]) => void (location.hash = to(...parts));

/** Take the token out of the address, the operator's or a seat's; whether there was another one. (URLSearchParams would
 * read a plus as a space.) An address of a seat that this browser sits at is as good. */
export function takeToken(): boolean {
  const found = /[#&?](?:token|seat)=([^&]*)/.exec(location.hash);
  if (!found) {
    const { kind, rest } = parsed();
    const own = kind === "at" ? ofSeat(rest[0] ?? "", rest[1] ?? "")?.key : undefined;
    if (!own || own === token()) return false;
    sessionStorage.setItem(stored, own);
    sessionStorage.setItem(BY_LINK, "yes");
    return true;
  }
  sessionStorage.setItem(stored, decoded(found[1] ?? "").trim());
  sessionStorage.setItem(BY_LINK, found[0].includes("seat=") ? "yes" : "");
  const rest = location.hash.replace(found[0], found[0].startsWith("#") ? "#" : "").replace(/^#&?/, "#/");
  history.replaceState(null, "", rest === "#/" || rest === "#" ? "#/" : rest.replace("#//", "#/"));
  return true;
}

/** Forget a link that opens nothing, once the tab goes to another address: what is said of the link is not true of that.
 * Whether there was one. */
export function dropLink(): boolean {
  if (!state.why || !sessionStorage.getItem(BY_LINK)) return false;
  sessionStorage.removeItem(stored);
  return true;
}

/** Who this tab is, where it was opened without a token: what another tab of this browser is, or who alone sits here. */
export async function join() {
  const found = await askForToken((late) => (sessionStorage.setItem(stored, late), location.reload()));
  const [own, ...more] = held();
  if (found) sessionStorage.setItem(stored, found);
  else if (own && !more.length) {
    history.replaceState(null, "", to("at", own.table, own.name));
    takeToken();
  }
}

// ---------------------------------------------------------------- loading

/** Say something that went well. */
export function note(text: string) {
  say(new Error(text));
  set({ went: true });
}

export function say(error: unknown) {
  const path = error instanceof Refused ? error.problem.path : null;
  const text = error instanceof Error ? error.message : String(error);
  set({ toast: path ? `${text} (at ${path})` : text, went: false });
  clearTimeout(toasting);
  toasting = window.setTimeout(() => set({ toast: "" }), 8000);
}
let toasting = 0;

/** What went wrong before is of no interest to whoever tries again. */
export function hush() {
  if (state.toast && !state.went) set({ toast: "" });
}

const loading = new Map<string, boolean>(); // what is under way: whether it was asked for again meanwhile
const LOADS: Record<string, () => Promise<Partial<State>>> = {
  picture: async () => ({ picture: await api.getPicture() }),
  runtime: async () => ({ runtime: await api.getRuntime() }),
  builds: async () => ({ builds: (await api.listBuilds()).items }),
  questions: async () => ({ questions: approve(open((await api.listQuestions({ limit: 200 })).items)) }),
  negotiations: async () => ({ negotiations: (await api.listNegotiations({ limit: 200 })).items }),
};

/** Load these anew, each once, however often that is asked for meanwhile. One request at a time: no answer overtakes a
 * newer one, and a server that takes its time is still heard. */
export function renew(...names: string[]) {
  for (const name of names) {
    if (name === "negotiations" && state.me?.role === "seat") continue; // that list is the operator's
    if (loading.has(name)) loading.set(name, true);
    else void load(name);
  }
}

const SOON_MS = 30; // what is asked for within this time is one request

async function load(name: string) {
  do {
    loading.set(name, true);
    await pause(SOON_MS);
    loading.set(name, false);
    try {
      const found = await LOADS[name]!();
      const key = name as keyof State;
      if (state[key] !== found[key]) set(found);
      if (name === "questions") follow(found.questions ?? []);
      if (name === "builds") {
        forked(found.builds ?? []);
        refused(found.builds ?? []);
      }
    } catch (error) {
      if (!(error instanceof TypeError)) say(error); // the connection is lost, which is said elsewhere
    }
  } while (loading.get(name));
  loading.delete(name);
}

const AHEAD = "graphbus-approved-ahead"; // changes that were approved with the answer that they come of

const sorted = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(sorted) : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sorted(one)])) : value;
const keyOf = (diff: unknown) => JSON.stringify(sorted(diff));

interface Approved {
  key: string; // of the change
  asked: string; // the question that it answers
}
const ahead = (): Approved[] => (JSON.parse(sessionStorage.getItem(AHEAD) ?? "[]") as unknown[]).filter((one): one is Approved => typeof one === "object");
const roundOf = (id: string) => id.split(".")[0]; // 2.choose.3

/** Approve this change when it is put forward: exactly this one, and only where it breaks nothing. */
export function approveAhead(question: Question, diff: unknown) {
  sessionStorage.setItem(AHEAD, JSON.stringify([...ahead(), { key: keyOf(diff), asked: question.id }]));
}

/** What was approved with other answers of the same round, and is in no file before the round ends. */
export const approvedBeside = (question: Question): Record<string, unknown>[][] => ahead().filter(({ asked }) => asked !== question.id && roundOf(asked) === roundOf(question.id)).map(({ key }) => JSON.parse(key));

/** Approve what was approved with its answer; the questions that are left. */
function approve(questions: Question[]): Question[] {
  return questions.filter((question) => {
    const about = question.about as { proposal?: { diff?: unknown; summary?: string }; computed?: { breaks?: unknown[] } };
    const key = keyOf(about.proposal?.diff);
    if (question.kind !== "approve" || question.refused.length || about.computed?.breaks?.length || !ahead().some((one) => one.key === key)) return true;
    sessionStorage.setItem(AHEAD, JSON.stringify(ahead().filter((one) => one.key !== key)));
    taken.set(question.id, 0);
    api.answerQuestion(question.id, body({ approve: true, reason: "Approved with the answer that it comes of." })).then(
      () => note(`Agreed by all now, and approved, as you said before: ${about.proposal?.summary ?? ""}`),
      (error: Error) => (taken.delete(question.id), say(error), renew("questions")),
    );
    return false;
  });
}

const CONSENTS = "graphbus-consents-ahead"; // what somebody consents to once it is put forward: options of each point, by table
const GOOD = 8; // points of a mark that says Good

const tableOf = (question: Question) => question.id.split("/").slice(0, 2).join("/");
const consents = (): Record<string, Record<string, string[]>> => JSON.parse(sessionStorage.getItem(CONSENTS) ?? "{}");

/** What was consented to ahead at this table, by point; null where nothing was. */
export const aheadAt = (table: string) => consents()[table] ?? null;

/** Consent to a deal, when it is put forward, in which each point is one that this ballot marks good. */
export function consentAhead(question: Question, points: Record<string, Record<string, number>>) {
  const good = Object.fromEntries(Object.entries(points).map(([issue, row]) => [issue, Object.keys(row).filter((option) => row[option]! >= GOOD)]));
  sessionStorage.setItem(CONSENTS, JSON.stringify({ ...consents(), [tableOf(question)]: good }));
}

/** Consent to what was consented to with the ballot; the questions that are left. */
function consent(questions: Question[]): Question[] {
  return questions.filter((question) => {
    const about = question.about as { proposal?: { terms?: Record<string, unknown> }; red_lines_crossed?: unknown[] };
    const good = consents()[tableOf(question)];
    const terms = Object.entries(about.proposal?.terms ?? {});
    const isGood = terms.length > 0 && terms.every(([issue, option]) => good?.[issue]?.includes(String(option)));
    if (question.kind !== "consent" || question.refused.length || about.red_lines_crossed?.length || !isGood) return true;
    taken.set(question.id, 0);
    api.answerQuestion(question.id, body({ answer: "consent" })).then(
      () => note("You consented, as you said with your ballot."),
      (error: Error) => (taken.delete(question.id), say(error)),
    );
    return false;
  });
}

const PROPOSED = "graphbus-proposed-ahead"; // what somebody puts to the table in the first turn, by table
const proposals = (): Record<string, unknown> => JSON.parse(sessionStorage.getItem(PROPOSED) ?? "{}");

/** Put this to the table when all have said what matters to them. */
export function proposeAhead(question: Question, terms: unknown) {
  sessionStorage.setItem(PROPOSED, JSON.stringify({ ...proposals(), [tableOf(question)]: terms }));
}

/** Put to the table what was said with the position, once, and only where nothing lies there; the questions that are left. */
function propose(questions: Question[]): Question[] {
  return questions.filter((question) => {
    const about = question.about as { proposal?: unknown; may_check?: boolean };
    const { [tableOf(question)]: terms, ...rest } = proposals();
    if (question.kind !== "turn" || !terms) return true;
    sessionStorage.setItem(PROPOSED, JSON.stringify(rest));
    if (about.proposal || !about.may_check || question.refused.length) return true;
    taken.set(question.id, 0);
    api.answerQuestion(question.id, body({ move: "check", terms })).then(
      () => note("Everybody is asked about what you proposed."),
      (error: Error) => (taken.delete(question.id), say(error)),
    );
    return false;
  });
}

/** Who proposed a change is led to its approval as soon as that is asked. */
function follow(questions: Question[]) {
  const found = state.expecting && questions.find((one) => one.kind === "approve");
  if (found) {
    set({ expecting: null });
    go("question", found.id);
  }
}

/** Who forked a negotiation is led to the dry run when it has ended. */
function forked(builds: Build[]) {
  const found = builds.find((one) => one.id === state.forking);
  if (!found || found.state === "running") return;
  set({ forking: null });
  if (found.state === "done" && found.build_id) go("negotiation", found.build_id);
  else say(new Error(found.detail));
}

/** Who proposed a change that was put to nobody, or that a gate or a vote refused, is led to what was said of it. */
function refused(builds: Build[]) {
  const found = builds.find((one) => one.id === state.expecting);
  if (!found || found.state === "running") return;
  set({ expecting: null });
  say(new Error(found.state === "done" ? "Your change did not land. Here is what was said of it." : found.detail));
  if (found.build_id) go("negotiation", found.build_id);
}

const taken = new Map<string, number>(); // question -> how often it had been refused when it was answered here

/** A question that was answered here is gone at once, also where a list is under way that still has it. */
export function answered(question: Question) {
  taken.set(question.id, question.refused.length);
  set({ questions: open(state.questions) });
}

const open = (questions: Question[]) => questions.filter((one) => !(taken.get(one.id)! >= one.refused.length));

const ALL = ["picture", "runtime", "builds", "questions", "negotiations"];

interface Message {
  seq: number;
  kind: string;
  at: number;
  data: Record<string, unknown>;
}

let stream = "";
let pending: BusEvent[] = [];
let flushing = 0;

/** Events come in floods: they are shown a few times a second, and what nobody could have read is left out. */
function flush() {
  flushing = 0;
  const known = new Set(state.events.map((one) => one.event_id)); // what was listed at the start may be streamed, too
  set({ events: [...pending.slice(-KEPT_EVENTS).reverse().filter((one) => !known.has(one.event_id)), ...state.events].slice(0, KEPT_EVENTS) });
  pending = [];
}

function took(message: Message) {
  const data = message.data;
  switch (message.kind) {
    case "hello":
      stream = String(data.stream);
      break;
    case "gap":
      if (data.stream && data.stream !== stream) {
        pending = []; // another server: what it does not know of is not shown as if it could be followed
        set({ events: [] });
        listEvents();
      }
      stream = String(data.stream ?? stream);
      renew(...ALL);
      break;
    case "event":
      if (pending.length >= 4 * KEPT_EVENTS) pending = pending.slice(-KEPT_EVENTS);
      pending.push({ seq: message.seq, at: Number(data.timestamp ?? message.at), ...(data as unknown as Omit<BusEvent, "seq" | "at">) });
      break;
    case "question":
    case "answered":
      renew("questions", "negotiations");
      set({ facts: state.facts + 1 });
      break;
    case "thinking":
      set({ thinking: data.agents as string[] });
      break;
    case "runtime":
      renew("runtime");
      break;
    case "build":
      renew("builds");
      if (data.state !== "running") {
        sessionStorage.removeItem(AHEAD); // an approval ahead is for the build that it was given in
        renew("picture", "negotiations", "runtime", "questions");
        set({ thinking: [], facts: state.facts + 1 });
      }
      break;
    case "commit":
      renew("picture");
      set({ facts: state.facts + 1 });
      break;
    case "proposal":
    case "negotiation":
      renew("negotiations");
      set({ facts: state.facts + 1 });
      break;
  }
}

/** The events that the server keeps, below those that were streamed. */
const listEvents = () =>
  api.listEvents({ limit: 200 }).then(({ items }) => {
    const known = new Set(state.events.map((one) => one.event_id));
    const more = items.filter((one) => !known.has(one.event_id)).map((one) => ({ ...one, seq: 0, at: one.timestamp ?? 0 }));
    set({ events: [...state.events, ...more].slice(0, KEPT_EVENTS), loaded: true });
  }, () => undefined);

/** The server does not answer: since when, and that nothing which stands here is known to be so any more. */
function lose() {
  const lost = state.lost || Date.now() / 1000;
  set({ live: `connection lost at ${timeOf(lost)}, trying again`, lost, refused: false, loaded: true });
}

/** Follow the server's stream; come back where we were after a break. */
export function listen() {
  const after = sessionStorage.getItem(place) ?? "0";
  stream = after.includes(":") ? after.split(":")[0]! : "";
  const socket = api.stream(after);
  socket.onopen = () => {
    if (state.lost) renew(...ALL); // what stood there since then was old
    set({ live: "live", refused: false, lost: 0 });
  };
  socket.onmessage = (frame) => {
    const messages = read(frame.data as string) as Message[];
    for (const message of messages) took(message);
    const last = messages.at(-1);
    if (last) sessionStorage.setItem(place, `${stream}:${last.seq}`);
    if (pending.length && !flushing) flushing = window.setTimeout(flush, FLUSH_MS);
  };
  socket.onclose = async () => {
    const status = await fetch("/api/v1/health", { headers: { Authorization: `Bearer ${token()}` } }).then((a) => a.status, () => 0);
    const refused = status === 401 || status === 403;
    if (refused) set({ live: "refused: open the address that was printed at the start", refused, lost: 0 });
    else lose();
    setTimeout(listen, refused ? 5000 : 1000);
  };
}

const LOOK_MS = 700; // how often a seat looks: it is told nothing of what happens at other tables

/** Speak with this key from now on, and have an address that finds it again. */
function use({ table, name, key }: { table: string; name: string; key: string }) {
  sessionStorage.setItem(stored, key);
  (api as { token: string }).token = key;
  history.replaceState(null, "", to("at", table, name));
  set({ route: parsed() });
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Sit down with the link that was opened, or with an invitation and a name: its key is exchanged for one of this browser. */
async function exchange(name = ""): Promise<Me> {
  const link = token();
  const made = await api.sitDown({ name }).catch(async (error) => {
    await pause(400); // another tab of this browser may have been faster
    const own = ofLink(link);
    if (!own) throw error;
    return own;
  });
  hold(made, link);
  use(made);
  return api.getMe();
}

/** Who I am here. A link is opened by it, and a link that this browser opened before leads to the same seat. */
async function identify(): Promise<Me> {
  const own = ofLink(token());
  if (own) use(own);
  const me = await api.getMe();
  return me.role === "seat" && !me.seated ? exchange() : me;
}

/** Somebody with an invitation says who they are. */
export async function enter(name: string) {
  set({ me: await exchange(name) });
  return sit();
}

/** The seat's key was refused: go on with a newer one that this browser has, or say why it ended. */
function leave(error: Refused): boolean {
  const { me } = state;
  const newer = me?.table && me.name ? ofSeat(me.table, me.name) : undefined;
  if (newer && newer.key !== token()) {
    use(newer);
    return false;
  }
  forget(token());
  const live = error.problem.code === "seat_taken" ? "somebody sits there" : "this link opens nothing now";
  set({ live, refused: true, why: error.problem.detail, taken: error.problem.code === "seat_taken", loaded: true });
  return true;
}

/** A seat has its own questions, and its table. */
async function sit() {
  set({ live: "live", refused: false });
  const look = async () => {
    try {
      const found = propose(consent(open((await api.listQuestions({ limit: 200 })).items)));
      const known = state.questions.map((one) => one.id).join();
      set({ questions: found, facts: state.facts + 1, live: "live", lost: 0, loaded: true, ...(known === found.map((one) => one.id).join() ? { questions: state.questions } : {}) });
    } catch (error) {
      if (error instanceof Refused && error.problem.status === 401) {
        if (leave(error)) return;
      } else lose();
    }
    setTimeout(look, LOOK_MS);
  };
  await look();
}

const UNKNOWN = "This link is not known here. Part of it may have been lost on the way: ask whoever sent it to send it again.";

/** Begin: what is there, what happens, and now and then whether a source was edited elsewhere. */
export async function begin() {
  shareToken(() => (state.me?.role === "operator" ? token() : ""));
  (api as { token: string }).token = token();
  try {
    const me = await identify();
    set({ me });
    const sits = me.role === "invited" && held().find((one) => one.table === me.table);
    if (sits) {
      use(sits); // whoever sits there already is led to their own seat, and offered no other one
      set({ me: await api.getMe() });
      return sit();
    }
    if (me.role === "invited") return set({ live: "invited" });
    if (me.role === "seat") return sit();
    const picture = await api.getPicture(); // first: it is what everybody waits for
    set({ picture });
  } catch (error) {
    if (error instanceof Refused && error.problem.code.startsWith("seat_")) return void leave(error);
    if (error instanceof Refused && error.problem.status === 401 && sessionStorage.getItem(BY_LINK)) {
      return set({ live: "this link is not known", refused: true, why: UNKNOWN, loaded: true }); // looking again would not make it known
    }
    if (error instanceof Refused && error.problem.status === 401) set({ live: "refused: open the address that was printed at the start", refused: true });
    else say(error);
  }
  renew(...ALL.slice(1));
  listEvents();
  if (!sessionStorage.getItem(place)) {
    const told = await api.listMessages({ after: "0", limit: 1 }).catch(() => null);
    if (told) sessionStorage.setItem(place, `${told.stream}:${(told.messages[0]?.seq ?? 1) - 1}`);
  }
  listen();
  setInterval(() => document.visibilityState === "visible" && !state.refused && renew("picture", "questions"), 4000);
}
