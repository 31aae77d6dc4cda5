// The seats that this browser sits at. A link is exchanged once; the key that it gave stays here, for every tab and reload.
export interface Held {
  table: string;
  name: string;
  key: string;
  links: string[]; // those that it came of: opened again here, they lead to the same seat
}

const SEATS = "graphbus-seats";

export function held(): Held[] {
  try {
    return JSON.parse(localStorage.getItem(SEATS) ?? "[]");
  } catch {
    return []; // this browser keeps nothing: the tab has its key, as long as it is open
  }
}

function save(all: Held[]) {
  try {
    localStorage.setItem(SEATS, JSON.stringify(all));
  } catch {
    // as above
  }
}

export const ofLink = (link: string) => held().find((one) => one.links.includes(link));
export const ofSeat = (table: string, name: string) => held().find((one) => one.table === table && one.name === name);

/** Keep the key that a link was exchanged for. */
export function hold({ table, name, key }: { table: string; name: string; key: string }, link: string) {
  const before = ofSeat(table, name)?.links ?? [];
  save([{ table, name, key, links: [...new Set([...before, link])].slice(-20) }, ...held().filter((one) => one.table !== table || one.name !== name)]);
}

/** Forget a key that was ended. */
export const forget = (key: string) => save(held().filter((one) => one.key !== key));
