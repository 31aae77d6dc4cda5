// Who this browser is, in each of its tabs. A link is exchanged once; the key that it gave stays here, for every tab and
// reload. The operator's token is written down nowhere: it is in the tabs that have it, and they tell the next one.
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

const WAIT_MS = 300; // for another tab; one that answers later is heard, too
const channel = new BroadcastChannel("graphbus-operator"); // tabs of this address alone are on it

/** Tell the operator's token to a tab of this browser that was opened without it, as long as this one has it. */
export function shareToken(tell: () => string) {
  channel.onmessage = ({ data }) => data === "ask" && tell() && channel.postMessage({ token: tell() });
}

/** The operator's token, of another tab of this browser; empty where none has it. `late`: it came after that. */
export const askForToken = (late: (token: string) => void) =>
  new Promise<string>((done) => {
    const tell = setTimeout(() => ((channel.onmessage = (event) => event.data.token && late(event.data.token)), done("")), WAIT_MS);
    channel.onmessage = ({ data }) => data.token && (clearTimeout(tell), done(data.token));
    channel.postMessage("ask");
  });
