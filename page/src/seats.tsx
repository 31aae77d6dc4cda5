// The links of those who sit at a table: given out here, opened by whom they are for.
import { useState } from "preact/hooks";
import type { SeatTold } from "../../clients/typescript/graphbus";
import { Act, T, useLoaded } from "./kit";
import { api, set, state, token, useStore } from "./store";

const KEYS = "graphbus-seat-keys"; // links that were made in this tab: the server tells each once

const known = (): Record<string, string> => JSON.parse(sessionStorage.getItem(KEYS) ?? "{}");

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

/** Links as one sends them: a name and an address a line. */
export const linesOf = (seats: { name: string; key: string }[]) => seats.map((one) => `${one.name}: ${linkOf(one.key)}`).join("\n");

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

/** The links of the others at this table that were made in this tab: whoever opened it hands them over. */
export function Handover({ table, me }: { table: string; me: string }) {
  const [copied, note] = useState(() => (sessionStorage.getItem(COPIED) === table ? "all" : ""));
  const others = Object.entries(known()).filter(([id]) => id.startsWith(`${table}/`) && id !== `${table}/${me}`);
  if (!others.length) return null;
  return (
    <section class="strip" aria-label="Links for the others">
      <span class="soft">{copied === "all" ? "The links of the others are on your clipboard: send each of them theirs." : "Send each of the others their link:"}</span>
      {others.length > 1 && copied !== "all" ? <Act class="primary" do={async () => { await copyText(linesOf(others.map(([id, key]) => ({ name: id.slice(table.length + 1), key })))); note("all"); }}>Copy all of them</Act> : null}
      {others.map(([id, key]) => {
        const name = id.slice(table.length + 1);
        return <Act do={async () => { await copyText(linkOf(key)); note(id); }}>{copied === id ? <>Copied <T>{name}</T>'s link</> : <>Copy <T>{name}</T>'s link</>}</Act>;
      })}
    </section>
  );
}

/** Put a text on the clipboard; where the browser has none (a page over plain http), show it to be copied. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else window.prompt("Copy this:", text);
}

const linkOf = (key: string) => `${location.origin}/#seat=${key}`;

export function SeatLinks({ table, names, here = [], invite }: { table: string; names: string[]; here?: string[]; invite?: boolean }) {
  const { facts } = useStore();
  const [copied, note] = useState("");
  const [name, type] = useState("");
  const seats = useLoaded(() => api.listSeats({ limit: 1000 }), [table, facts]).value?.items.filter((one) => one.table === table) ?? [];
  const give = async (to: string) => {
    const made = await api.giveSeatLink({ table, name: to });
    keep(table, to, made.key);
    set({ facts: state.facts + 1 });
  };
  const copy = async (one: SeatTold, link: string) => {
    await copyText(link);
    note(one.id);
  };
  const without = names.filter((to) => !seats.some((one) => one.name === to));
  const mine = here.filter((to) => !seats.some((one) => one.name === to)); // the operator answers for these, on this page
  if (!seats.length && !without.length && !mine.length && !invite) return null;
  return (
    <section class="card seats" aria-label="Links to the seats">
      <h3>Links to the seats</h3>
      <p class="soft">You are the operator here. Each link is one person's: send it to them. You see who is waited for, and not what they are asked.</p>
      <ul class="list">
        {seats.map((one) => {
          const key = known()[one.id];
          return (
            <li key={one.id}>
              <p class="row">
                <strong><T>{one.name}</T></strong>
                {one.waiting ? <span class="wait">is asked</span> : <span class="soft">nothing to answer now</span>}
                {key ? <Act class="primary" do={() => copy(one, linkOf(key))}>{copied === one.id ? "Copied" : "Copy the link"}</Act> : <Act do={() => give(one.name)}>Make a new link</Act>}
              </p>
            </li>
          );
        })}
        {mine.map((to) => <li><p class="row"><strong><T>{to}</T></strong> <span class="soft">you, on this page</span> <Act do={() => give(to)}>Hand it to somebody else</Act></p></li>)}
        {without.map((to) => <li><p class="row"><strong><T>{to}</T></strong> <Act do={() => give(to)}>Make a link</Act></p></li>)}
      </ul>
      {invite ? <p class="row"><label class="inline"><span>Invite</span><input value={name} placeholder="ann" pattern="[a-z][a-z0-9-]*" autocomplete="off" onInput={(e) => type(e.currentTarget.value)} /></label><Act disabled={!name.trim()} do={async () => { await give(name.trim()); type(""); }}>Make a link</Act></p> : null}
    </section>
  );
}
