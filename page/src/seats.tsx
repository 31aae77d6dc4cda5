// The links of those who sit at a table: given out here, until they are opened by whom they are for.
import { useState } from "preact/hooks";
import { GraphBus, type SeatTold, type TableTold } from "../../clients/typescript/graphbus";
import { plain } from "./json";
import { timeOf } from "./clock";
import { Act, Names, T, useLoaded, Who, Says } from "./kit";
import { held, ofSeat } from "./session";
import { api, set, state, to, token, useStore } from "./store";

const KEYS = "graphbus-seat-keys"; // links that were made in this tab: the server tells each once

const known = (): Record<string, string> => JSON.parse(sessionStorage.getItem(KEYS) ?? "{}");

const INVITATION = ""; // in the place of a name: the one link for the whole table

/** Keep a link that was made here, as long as this tab is open; without a name it is the invitation. */
export function keep(table: string, name: string, key: string) {
  sessionStorage.setItem(KEYS, JSON.stringify({ ...known(), [`${table}/${name}`]: key }));
}

const OPERATOR = "graphbus-operator"; // the operator's token, where this tab sits down for a person

/** Sit down at a table in this tab; the operator's view is kept for the way back. */
export function sitAs(key: string, ...table: string[]) {
  sessionStorage.setItem(OPERATOR, JSON.stringify({ token: token(), table }));
  location.hash = `#seat=${encodeURIComponent(key)}`;
}

const COPIED = "graphbus-copied"; // the table whose links lie on the clipboard

/** Put the links of these seats on the clipboard with the press that makes them: they come a moment later. */
export function copyWhenMade(links: Promise<{ table: string; text: string }>) {
  const item = links.then(({ text }) => new Blob([text], { type: "text/plain" }));
  item.catch(() => undefined); // what failed is said where it failed
  try {
    if (!navigator.clipboard) return;
    void navigator.clipboard.write([new ClipboardItem({ "text/plain": item })]).then(async () => sessionStorage.setItem(COPIED, (await links).table), () => undefined);
  } catch {
    // this browser lets nobody copy so: each link has its own button
  }
}

/** One invitation to a table, kept and told as a link. */
export async function invite(table: string): Promise<string> {
  const { key } = await api.inviteToTable({ table });
  keep(table, INVITATION, key);
  return linkOf(key);
}

/** The way back to the operator's view, where this tab came from there. */
export function wayBack(): (() => void) | null {
  const kept = sessionStorage.getItem(OPERATOR);
  if (!kept) return null;
  return () => {
    const { token: operator, table } = JSON.parse(kept) as { token: string; table: string[] };
    sessionStorage.removeItem(OPERATOR);
    location.hash = `#token=${encodeURIComponent(operator)}&/${table.map(encodeURIComponent).join("/")}`;
  };
}

/** The API as the operator's, where this tab is that or came from there. */
function operator() {
  if (state.me?.role === "operator") return api;
  const kept = sessionStorage.getItem(OPERATOR);
  return kept ? new GraphBus(location.origin, (JSON.parse(kept) as { token: string }).token) : null;
}

/** A new link for somebody whose seat another has taken, made and copied with one press; then it stands there. */
function Renew({ table, name, made }: { table: string; name: string; made: boolean }) {
  const asked = operator();
  const key = made ? known()[`${table}/${name}`] : "";
  if (key) return <> <Shown link={linkOf(key)} says={`Send this to ${plain(name)}.`} label={`New link for ${plain(name)}`} /></>;
  if (!asked || made) return null;
  const make = async () => {
    const made = asked.giveSeatLink({ table, name });
    copyWhenMade(made.then(({ key }) => ({ table: "", text: linkOf(key) })));
    keep(table, name, (await made).key);
    set({ facts: state.facts + 1 });
  };
  return <> <Act do={make}>Make a new link for <T>{name}</T></Act></>;
}

/** Whoever opened the table asked, and says so: the note goes, for everybody. */
function Settled({ table, name }: { table: string; name: string }) {
  const asked = operator();
  if (!asked) return null;
  const settle = async () => {
    await asked.settleDispute(`${table}/${name}`);
    set({ facts: state.facts + 1 });
  };
  return <> <Act do={settle}>I asked: it is <T>{name}</T></Act></>;
}

const DOUBTS = ["disputed", "claimed"];
export const GRAVE = ["renewed", "disputed", "claimed", "taken_back"]; // somebody else may sit there now: everybody at the table is told

/** What grave thing became of a seat last; whoever has the operator's view in this tab can make the new link at once. */
export function Warning({ table }: { table: TableTold | null }) {
  const last = table?.story.filter((one, at) => GRAVE.includes(one.news) && !table.story.slice(at).some((later) => later.news === "settled" && later.name === one.name)).at(-1);
  if (!table || !last) return null;
  return <p class="strip warn" role="status">{timeOf(last.at)} <Says>{last.says}</Says>{last.news === "taken_back" ? null : <Renew table={table.table} name={last.name} made={last.news === "renewed"} />}{DOUBTS.includes(last.news) ? <Settled table={table.table} name={last.name} /> : null}</p>;
}

/** What each kind of link is good for. */
const INVITES = "For a group of people who know each other: whoever opens it says who they are.";
const EACH = "Where nobody should be able to sit down as somebody else: send each person their own.";

/** How those who opened this table here reach the others, until everybody has sat down. */
export function Handover({ table, me }: { table: TableTold | null; me: string }) {
  const [copied, note] = useState("");
  if (!table) return null;
  const absent = table.seats.filter((one) => !one.seated && one.name !== me);
  const missing = absent.map((one) => one.called);
  const own = absent.flatMap(({ name, called }) => { const key = known()[`${table.table}/${name}`]; return key ? [{ name: called, key }] : []; });
  const invitation = known()[`${table.table}/${INVITATION}`];
  if (!missing.length || (!own.length && !invitation)) return null;
  const lies = copied === INVITATION && sessionStorage.getItem(COPIED) === table.table;
  const copy = async (name: string, key: string) => { await copyText(linkOf(key)); note(name); };
  const copyAll = async () => { await copyText(linesOfLinks(own)); note("all"); };
  const each = own.map(({ name, key }) => <Act do={() => copy(name, key)}>{copied === name ? <>Copied <T>{name}</T>'s link</> : <>Copy <T>{name}</T>'s link</>}</Act>);
  return (
    <section class="strip" aria-label="Links for the others">
      <span>{lies || copied === "all" ? (invitation ? "The invitation is on your clipboard." : "Their links are on your clipboard, one a line. Send each to its own person.") : "Invite the others."} <span class="soft">Not here yet: <Names names={missing} none="" /></span></span>
      {invitation ? <Shown link={linkOf(invitation)} says="" label="Invitation" /> : own.length > 1 ? <Act do={copyAll}>Copy all links</Act> : null}
      {invitation ? <details><summary>A link for each person</summary><p class="soft">{EACH} The invitation: {INVITES.toLowerCase()}</p>{each}</details> : <>{each}<AllLinks own={own} /></>}
    </section>
  );
}

const linesOfLinks = (own: { name: string; key: string }[]) => own.map(({ name, key }) => `${name}: ${linkOf(key)}`).join("\n");

/** The links of the others, in sight. */
const AllLinks = ({ own }: { own: { name: string; key: string }[] }) => (
  <textarea class="links" readOnly rows={Math.min(4, own.length)} wrap="off" aria-label="Links, one a line" value={linesOfLinks(own)} onFocus={(e) => e.currentTarget.select()} />
);

/** Put a text on the clipboard; where the browser has none (a page over plain http), show it to be copied. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else window.prompt("Copy this:", text);
}

export const linkOf = (key: string) => `${location.origin}/#seat=${key}`;

/** A link in sight, with a button that copies it. */
export function Shown({ link, says, label }: { link: string; says: string; label: string }) {
  const [copied, note] = useState(false);
  return (
    <span class="row link">
      {says ? <span class="soft">{says}</span> : null}
      <input readOnly aria-label={label} value={link} onFocus={(e) => e.currentTarget.select()} />
      <Act do={async () => { await copyText(link); note(true); }}>{copied ? "Copied" : "Copy it"}</Act>
    </span>
  );
}

/** The seats that this browser sits at, where it was opened without a link. */
export function OwnSeats() {
  const own = held();
  if (!own.length) return null;
  return <><h2>You sit here</h2><ul class="list">{own.map((one) => <li><a href={to("at", one.table, one.name)}><T>{one.name}</T></a> <small class="soft"><T>{one.table}</T></small></li>)}</ul></>;
}

export function SeatLinks({ table, names, here = [], add }: { table: string; names: string[]; here?: string[]; add?: boolean }) {
  const { facts } = useStore();
  const [copied, note] = useState("");
  const [name, type] = useState("");
  const seats = useLoaded(() => api.listSeats({ limit: 1000 }), [table], [facts]).value?.items.filter((one) => one.table === table) ?? [];
  const told = useLoaded(async () => (seats.some((one) => one.seated) ? api.getTable({ of: table }) : null), [table], [facts, seats.length]).value;
  const bump = () => set({ facts: state.facts + 1 });
  const give = async (to: string) => {
    keep(table, to, (await api.giveSeatLink({ table, name: to })).key);
    bump();
  };
  const copy = async (one: SeatTold, key: string) => {
    await copyText(linkOf(key));
    note(one.id);
  };
  const without = names.filter((to) => !seats.some((one) => one.name === to));
  const mine = here.filter((to) => !seats.some((one) => one.name === to)); // the operator answers for these, on this page
  if (!seats.length && !without.length && !mine.length && !add) return null;
  const waiting = seats.filter((one) => !one.seated);
  const invitation = known()[`${table}/${INVITATION}`];
  return (
    <section class="card seats" aria-label="Who sits down here">
      <h3>Who sits down here</h3>
      <Warning table={told ?? null} />
      <p class="soft">You are the operator here. You see who is waited for, and not what they are asked.</p>
      <ul class="list">
        {seats.map((one) => <SeatRow key={one.id} one={one} make={() => give(one.name)} />)}
        {mine.map((to) => <li><p class="row"><strong><Who>{to}</Who></strong> <span class="soft">you, on this page</span> <Act do={() => give(to)}>Hand it to somebody else</Act></p></li>)}
        {without.map((to) => <li><p class="row"><strong><T>{to}</T></strong> <Act do={() => give(to)}>Make a link</Act></p></li>)}
      </ul>
      {waiting.length ? (
        <>
          <p class="row">{invitation ? <Shown link={linkOf(invitation)} says="" label="Invitation" /> : <Act do={async () => { await invite(table); bump(); }}>Make an invitation</Act>}<small class="soft">{INVITES}</small></p>
          <details open={!invitation && waiting.some((one) => known()[one.id])}>
            <summary>A link for each person</summary>
            <p class="soft">{EACH}</p>
            <ul class="list">{waiting.map((one) => {
              const key = known()[one.id];
              return <li><p class="row"><strong><T>{one.called}</T></strong> {key ? <Act do={() => copy(one, key)}>{copied === one.id ? "Copied" : "Copy the link"}</Act> : <Act do={() => give(one.name)}>Make a new link</Act>}</p></li>;
            })}</ul>
          </details>
        </>
      ) : null}
      {add ? <p class="row"><label class="inline"><span>One more</span><input value={name} placeholder="ann" pattern="[a-z][a-z0-9-]*" autocomplete="off" onInput={(e) => type(e.currentTarget.value)} /></label><Act disabled={!name.trim()} do={async () => { await give(name.trim()); type(""); }}>Make a link</Act></p> : null}
    </section>
  );
}

/** Who sits there, or not yet. Once somebody has sat down there is no link any more; a new one puts them out. */
function SeatRow({ one, make }: { one: SeatTold; make: () => Promise<void> }) {
  const own = ofSeat(one.table, one.name);
  return (
    <li>
      <p class="row">
        <strong><T>{one.called}</T></strong>
        <span class={one.seated ? "good" : "soft"}>{one.seated ? "sat down" : "not yet opened"}</span>
        {one.waiting ? <span class="wait">is asked</span> : null}
        {one.seated && own ? <Act do={() => sitAs(own.key, ...one.table.split("/"))}>Go to your seat</Act> : null}
        {one.seated && !own ? <><Act do={make}>Make a new link</Act><small class="soft">for a lost browser: whoever sits there is out, and the table is told</small></> : null}
      </p>
    </li>
  );
}
