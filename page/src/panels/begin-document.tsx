// Bring texts to one: typed, pasted or dropped; whoever opens the table has a seat there, and a link for each other one.
import { useRef, useState } from "preact/hooks";
import { Act } from "../kit";
import { copyWhenMade, invite, keep, sitAs } from "../seats";
import { api, renew, state } from "../store";

const MOST = 400_000; // characters of a text, as the server takes them

/** A name for a table, made of its topic. */
const nameOf = (topic: string) => topic.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60);
const stemOf = (file: string) => file.replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9._-]+/g, "-");
const seatOf = (name: string) => nameOf(name).replace(/^[0-9-]+/, "");

interface Text {
  name: string;
  text: string;
}

const SEATS = "host, guest";

/** The form; `brief`: only its first field, until something is written there. */
export function BeginDocument({ brief }: { brief?: boolean }) {
  const [topic, about] = useState("");
  const [names, call] = useState("");
  const [texts, write] = useState<Text[]>([{ name: "", text: "" }, { name: "", text: "" }]);
  const put = (i: number, patch: Partial<Text>) => write((old) => old.map((one, at) => (at === i ? { ...one, ...patch } : one)));
  const start = async () => {
    const called = new Map((names.trim() || SEATS).split(",").map((one) => [seatOf(one), one.trim()])); // by seat, as it was written
    const [mine, ...guests] = [...called.keys()].filter(Boolean);
    if (!mine || !guests.length) throw new Error("Two or more sit at a table: name yourself first, then the others, with commas between.");
    const sources = texts.map((one, i) => ({ name: one.name || [mine, ...guests][i] || `text-${i + 1}`, text: one.text })).filter((one) => one.text.trim());
    if (!sources.length) throw new Error("Bring a text, typed, pasted or dropped. The other one can come by the link.");
    const title = topic.trim() || firstLine(sources[0]!.text);
    const open = (name: string) => api.startDocument({ name, topic: title, sources, agents: 1 + guests.length });
    const name = nameOf(title) || "document";
    const other = () => open(`${name.slice(0, 55)}-${Date.now().toString(36).slice(-6)}`); // the topic may be the same, the table is another
    const isTaken = state.negotiations.some((one) => one.kind === "document" && one.id === name);
    const opened = isTaken ? other() : open(name).catch((error) => {
      if (error?.problem?.status !== 409) throw error; // taken by a table that this page does not know of yet
      return other();
    });
    const seated = opened.then(async ({ id }) => {
      const table = `document/${id}`;
      const own = (await api.giveSeatLink({ table, name: mine, opener: true, called: called.get(mine)! })).key;
      for (const name of guests) keep(table, name, (await api.giveSeatLink({ table, name, called: called.get(name)! })).key);
      return { id, own, table, text: await invite(table) };
    });
    copyWhenMade(seated);
    const { id, own } = await seated;
    renew("negotiations", "questions");
    sitAs(own, "document", id);
  };
  const field = (at: number, says: string) => <TextField key={at} one={texts[at]!} put={(patch) => put(at, patch)} says={says} />;
  return (
    <section class="card begin" aria-label="Reconcile documents">
      <h3>Bring texts to one</h3>
      <p class="soft">Each has a text; you take turns until one stands that everybody accepts. You sit down at once; the invitation for the others is copied with it.</p>
      {field(0, "Your text")}
      {brief && !texts[0]!.text ? null : <>
      {field(1, "The other text (it can come by the link)")}
      <label><span>Who sits there (names, with commas; you first)</span><input value={names} placeholder={SEATS} autocomplete="off" onInput={(e) => call(e.currentTarget.value)} /></label>
      <details>
        <summary>Another topic than the first line, or more texts</summary>
        <label><span>Topic</span><input value={topic} autocomplete="off" placeholder={firstLine(texts[0]!.text)} onInput={(e) => about(e.currentTarget.value)} /></label>
        {texts.slice(2).map((_, i) => field(i + 2, `Text ${i + 3}`))}
        <p class="row tight"><button type="button" onClick={() => write([...texts, { name: "", text: "" }])}>One more text</button></p>
      </details>
      <Act class="primary" do={start}>Open it, and sit down</Act>
      </>}
    </section>
  );
}

const firstLine = (text: string) => (text.split("\n").map((one) => one.replace(/^#+\s*/, "").trim()).find(Boolean) ?? "").slice(0, 80);

/** A text that is typed, pasted, or dropped as a file. */
export function TextField({ one, put, says }: { one: Text; put: (patch: Partial<Text>) => void; says: string }) {
  const file = useRef<HTMLInputElement>(null);
  const [over, hover] = useState(false);
  const take = async (given: File | undefined) => {
    if (!given) return;
    const text = await given.text();
    if (text.length > MOST) throw new Error(`${given.name} has more than ${MOST} characters.`);
    put({ text, name: stemOf(given.name) });
  };
  return (
    <div class={`drop-text ${over ? "over" : ""}`}
      onDragOver={(e) => { e.preventDefault(); hover(true); }} onDragLeave={() => hover(false)}
      onDrop={(e) => { e.preventDefault(); hover(false); void take(e.dataTransfer?.files[0]); }}>
      <label><span>{says}{one.name ? `: ${one.name}` : ""}</span><textarea rows={4} value={one.text} placeholder="Type or paste it, or drop a file here" onInput={(e) => put({ text: e.currentTarget.value })} /></label>
      <input ref={file} type="file" accept=".md,.txt,.markdown,text/*" hidden onChange={(e) => { void take(e.currentTarget.files?.[0]); e.currentTarget.value = ""; }} />
      <button type="button" class="quiet" onClick={() => file.current?.click()}>Take a file</button>
    </div>
  );
}
