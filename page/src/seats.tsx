// The links of those who sit at a table: given out here, opened by whom they are for.
import { useState } from "preact/hooks";
import type { SeatTold } from "../../clients/typescript/graphbus";
import { Act, T, useLoaded } from "./kit";
import { api, set, state, useStore } from "./store";

const KEYS = "graphbus-seat-keys"; // links that were made in this tab: the server tells each once

const known = (): Record<string, string> => JSON.parse(sessionStorage.getItem(KEYS) ?? "{}");

export function keep(table: string, name: string, key: string) {
  sessionStorage.setItem(KEYS, JSON.stringify({ ...known(), [`${table}/${name}`]: key }));
}

const linkOf = (key: string) => `${location.origin}/#seat=${key}`;

export function SeatLinks({ table, names, invite }: { table: string; names: string[]; invite?: boolean }) {
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
    await navigator.clipboard.writeText(link);
    note(one.id);
  };
  const without = names.filter((to) => !seats.some((one) => one.name === to));
  if (!seats.length && !without.length && !invite) return null;
  return (
    <section class="card seats" aria-label="Links to the seats">
      <h3>Links to the seats</h3>
      <p class="soft">Each person answers through a link of their own. You see who is waited for, and not what they are asked.</p>
      <ul class="list">
        {seats.map((one) => {
          const key = known()[one.id];
          return (
            <li key={one.id}>
              <p class="row">
                <strong><T>{one.name}</T></strong>
                {one.waiting ? <span class="wait">is asked</span> : <span class="soft">nothing to answer now</span>}
                {key ? <><a class="button" href={linkOf(key)} target="_blank" rel="noopener">Open</a><Act do={() => copy(one, linkOf(key))}>{copied === one.id ? "Copied" : "Copy the link"}</Act></> : <Act do={() => give(one.name)}>Make a new link</Act>}
              </p>
            </li>
          );
        })}
        {without.map((to) => <li><p class="row"><strong><T>{to}</T></strong> <Act do={() => give(to)}>Make a link</Act></p></li>)}
      </ul>
      {invite ? <p class="row"><label class="inline"><span>Invite</span><input value={name} placeholder="ann" pattern="[a-z][a-z0-9-]*" autocomplete="off" onInput={(e) => type(e.currentTarget.value)} /></label><Act disabled={!name.trim()} do={async () => { await give(name.trim()); type(""); }}>Make a link</Act></p> : null}
    </section>
  );
}
