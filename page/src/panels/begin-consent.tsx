// Decide by consent: what is decided in plain lines, who decides, who may read what; the opener sits down at once.
import { useState } from "preact/hooks";
import type { Consent } from "../../../clients/typescript/graphbus";
import { Act, T } from "../kit";
import { plain } from "../json";
import { copyWhenMade, invite, keep, linkOf, sitAs } from "../seats";
import { api, go, renew } from "../store";

type Preferences = "sealed" | "private" | "disclosed" | "";

const EXAMPLE = "Where does the team meet, and when?\nplace: Lisbon, Oslo, Rome\nmonth: May, September\nwho decides: Ann, Ben, Cem";
const PEOPLE = "Ann, Ben, Cem";
const WAYS: [Preferences, string, string][] = [
  ["sealed", "Sealed", "Each fills in one ballot that nobody else reads. You do not read theirs either. One deal is put to all, then everybody votes."],
  ["private", "Private", "You talk in turns. What is said is read by all; how much each likes what stays their own."],
  ["disclosed", "Disclosed", "You talk in turns, and everything is open: what each of you says, proposes and objects to."],
];

const isFile = (text: string) => /^\s*(#.*\n)*\s*[a-z_]+:/m.test(text) && /^advocates\s*:/m.test(text);
const listed = (text: string) => text.split(",").map((one) => one.trim()).filter(Boolean);

export interface Decision {
  topic: string;
  issues: Record<string, string[]>;
  people: Record<string, string>; // with what matters to each, where that is said
}

/** Names with commas between, each with what matters to it where that is said: Ann=Sun, Ben. */
const peopleOf = (text: string) => Object.fromEntries(listed(text).map((one) => [one.split("=")[0]!.trim(), one.split("=").slice(1).join("=").trim()]));

const DECIDERS = /^(who decides|decided by)$/i; // a line of the text that names people, and is no point

/** A question, then a line for each point: its name, a colon, what may be chosen. */
export function decisionOf(text: string): Decision {
  const lines = text.split("\n").map((one) => one.replace(/^\s*[-*]\s+/, "").trim()).filter(Boolean);
  const issues: Record<string, string[]> = {};
  const words: string[] = [];
  let people: Record<string, string> = {};
  for (const line of lines) {
    const [, name, rest] = /^([^:]{1,60}):\s*(.+)$/.exec(line) ?? [];
    const options = listed(rest ?? line);
    if (DECIDERS.test(name?.trim() ?? "")) people = { ...people, ...peopleOf(rest!) };
    else if (listed(line).every((one) => /^[^=]+=\s*\S/.test(one))) people = { ...people, ...peopleOf(line) };
    else if (options.length > 1 && (name || words.length)) issues[name?.trim() || "choice"] = options;
    else words.push(line);
  }
  return { topic: words.join(" ") || Object.keys(issues).join(", "), issues, people };
}

/** What the form begins with. */
interface Begun {
  text: string;
  names: string;
  picked: Preferences;
}

/** A decision that ended, to be begun again: as plain lines where these say the same, else as a file, which can say any name. */
export function againOf({ topic, issues, advocates, preferences }: Consent): Begun {
  const people = Object.fromEntries(advocates.map(({ name, priority }) => [name, priority === name ? "" : priority]));
  const wanted: Decision = { topic, issues: Object.fromEntries(issues.map((one) => [one.name, one.options])), people };
  const who = Object.entries(people).map(([name, matters]) => (matters ? `${name}=${matters}` : name)).join(", ");
  const text = [topic, ...issues.map((one) => `${one.name}: ${one.options.join(", ")}`), `who decides: ${who}`].join("\n");
  const file = `topic: ${JSON.stringify(topic)}\nissues: ${JSON.stringify(wanted.issues)}\nadvocates: ${JSON.stringify(Object.fromEntries(advocates.map(({ name, priority }) => [name, { priority }])))}\n`;
  const isSame = JSON.stringify(decisionOf(text)) === JSON.stringify(wanted);
  return { text: isSame ? text : file, names: isSame ? "" : Object.keys(people).join(", "), picked: preferences as Preferences };
}

/** The form; `brief`: only its first field, until something is written there. `again`: filled with what was decided before. */
export function BeginConsent({ brief, again }: { brief?: boolean; again?: Begun }) {
  const [text, write] = useState(again?.text ?? "");
  const [names, type] = useState(again?.names ?? "");
  const [seat, sit] = useState<string | null>(null); // null: whoever is named first
  const [picked, choose] = useState<Preferences | null>(again?.picked ?? null);
  const file = isFile(text);
  const { topic, issues, people: said } = decisionOf(text);
  const typed = peopleOf(names);
  const who = !file && !names.trim() ? said : Object.fromEntries(Object.entries(typed).map(([name, matters]) => [name, matters || (said[name] ?? "")]));
  const people = file ? listed(names) : Object.keys(who);
  const way = picked ?? (file ? "" : "sealed");
  const ways: typeof WAYS = file ? [["", "As the file says", ""], ...WAYS] : WAYS;
  const mine = seat ?? people[0] ?? "";
  /** `apart`: with a link for each person; else with one invitation for all. */
  const start = async (apart: boolean) => {
    if (!text.trim()) throw new Error("Say what is decided: a question, then a line for each point.");
    const prompt = !file && /^\s*use\s+(the\s+)?negotiation\b/i.test(text);
    if (!file && !prompt) {
      if (people.length < 2) throw new Error("Name two or more who decide, with commas between.");
      if (way === "sealed" && !Object.keys(issues).length) throw new Error("A ballot needs something to choose between. Add a line such as place: Lisbon, Oslo, Rome");
    }
    const order = mine ? [mine, ...people.filter((one) => one !== mine)] : people; // whoever opens it speaks first
    const scenario = file ? text : JSON.stringify({ topic, issues, advocates: Object.fromEntries(order.map((one) => [one, who[one] ? { priority: who[one] } : {}])) });
    const begun = api.startConsent({ ...(prompt ? { prompt: text } : { scenario }), humans: people, opener: mine, preferences: way || null, whole_ballots: true, open_by_proposal: !file && !prompt });
    const others = people.length > (mine ? 1 : 0);
    const invited = begun.then(async ({ id, seats }) => ({ table: `consent/${id}`, text: !others ? "" : apart ? seats.filter((one) => one.name !== mine).map((one) => `${one.name}: ${linkOf(one.key)}`).join("\n") : await invite(`consent/${id}`) }));
    if (others) copyWhenMade(invited);
    const { id, seats } = await begun;
    for (const one of seats) if (one.name !== mine) keep(`consent/${id}`, one.name, one.key);
    await invited;
    renew("negotiations", "questions");
    const own = seats.find((one) => one.name === mine);
    if (own) sitAs(own.key, "consent", id);
    else go("consent", id);
  };
  return (
    <section class="card begin" aria-label="Decide by consent">
      <h3>Decide by consent</h3>
      <p class="soft">Two or more people settle on something that nobody objects to. Each answers by a link of their own.</p>
      <label>
        <span>What is decided: the question, then a line for each point</span>
        <textarea rows={5} spellcheck={false} value={text} placeholder={EXAMPLE} onInput={(e) => write(e.currentTarget.value)} />
      </label>
      {brief && !text ? null : <>
      <p class="row tight">{text ? null : <button type="button" onClick={() => write(EXAMPLE)}>Use this example</button>}
        <small class="soft" role="status">{file ? "A scenario file: it is taken as it stands." : Object.keys(issues).length ? <T>{[...Object.entries(issues).map(([name, options]) => `${name}: ${options.length} to choose from`), ...(Object.keys(said).length ? [`decided by ${Object.keys(said).join(", ")}`] : [])].join("; ")}</T> : "A scenario file can be pasted, too."}</small>
      </p>
      <label><span>{file ? "Who of its advocates are people (names, with commas)" : "Who decides (names, with commas; you first)"}</span><input value={names || (file ? "" : Object.keys(said).join(", "))} placeholder={PEOPLE} autocomplete="off" onInput={(e) => type(e.currentTarget.value)} /></label>
      {people.length ? (
        <label class="inline"><span>I sit there as</span>
          <select value={mine} onChange={(e) => sit(e.currentTarget.value)}>{people.map((one) => <option value={one}>{plain(one)}</option>)}<option value="">nobody, I only open it</option></select>
        </label>
      ) : null}
      <fieldset class="pick stacked" role="radiogroup">
        <legend>Who reads what</legend>
        {ways.map(([value, title, means]) => (
          <label class="tick"><input type="radio" name="preferences" checked={way === value} onChange={() => choose(value)} /><span>{title}<small class="soft"> {means}</small></span></label>
        ))}
      </fieldset>
      <p class="row">
        <Act class="primary" do={() => start(true)}>{mine ? <>Begin, and sit down as <T>{mine}</T></> : "Begin"}</Act>
        {people.length > 1 ? <Act do={() => start(false)}>Begin with one invitation</Act> : null}
      </p>
      {mine && people.length > 1 ? <p class="soft">A link for each of the others is copied with it, one a line: send each to its own person, and nobody can sit down as somebody else. One invitation is for a group that trusts each other: whoever opens it says who they are.</p> : null}
      </>}
    </section>
  );
}
