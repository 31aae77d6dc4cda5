// The top: what runs and what is newest, what waits, everything by name (Ctrl-K).
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Picture } from "../../clients/typescript/graphbus";
import { T } from "./kit";
import { plain } from "./json";
import { misfitsOf, wordOf } from "./misfit";
import { Restart } from "./panels/runtime";
import { api, foldAxis, go, renew, say, set, to, useStore } from "./store";

export function Top() {
  const { live, lost, questions, runtime, builds, route } = useStore();
  const running = !lost && builds.find((one) => one.state === "running");
  const newer = runtime?.running && runtime.newest && runtime.running.build_id !== runtime.newest.build_id;
  const here = (...kinds: string[]) => (kinds.includes(route.kind) ? "page" : undefined);
  return (
    <header>
      <h1><a href="#/">Graph<span>Bus</span></a></h1>
      <nav aria-label="Places">
        <a href={to("inbox")} aria-current={here("inbox", "question")}>Inbox{questions.length ? <span class="badge">{questions.length}</span> : null}</a>
        <a href={to("negotiations")} aria-current={here("negotiations", "negotiation", "proposal")}>Negotiations</a>
        <a href={to("runtime")} aria-current={here("runtime", "event")}>Runtime</a>
        <a href={to("start")} aria-current={here("start")}>Begin</a>
        <button type="button" onClick={find}>Find <kbd>Ctrl K</kbd></button>
      </nav>
      <p class="runs">
        {lost ? <span class="warn">? not known now{runtime?.is_running ? ", it was running" : ""}</span> : runtime?.is_running ? <span class="good">● running{newer ? " an older build" : ""}{newer ? <small class="soft"> {runtime.running?.build_id}, the newest is {runtime.newest?.build_id}</small> : null}</span> : <span class="soft">○ not running</span>}
        {newer && !lost ? <Restart>Restart on the newest</Restart> : null}
        {running ? <a href="#/">build {running.id}</a> : null}
      </p>
      <p id="state" class={lost ? "bad" : ""} role="status" aria-live="polite">{live}</p>
    </header>
  );
}

interface Found {
  text: string;
  hint: string;
  act: () => void;
}

/** How near a name is to what was typed: the very name first, then one that begins so, one that has it, any other. */
function nearness(name: string, typed: string) {
  const [one, other] = [name.toLowerCase(), typed.trim().toLowerCase()];
  return one === other ? 0 : one.startsWith(other) ? 1 : one.includes(other) ? 2 : 3;
}

type Component = Picture["components"][number];

/** Each topic by its name, with who sends and who hears it. */
function topicsOf(picture: Picture | null): Found[] {
  const topics = new Map<string, { from: Set<string>; to: Set<string> }>();
  const at = (name: string) => topics.get(name) ?? topics.set(name, { from: new Set(), to: new Set() }).get(name)!;
  for (const one of picture?.components ?? []) for (const { topic } of one.publishes) at(topic).from.add(one.name);
  for (const { source, target } of picture?.links ?? []) if (source.topic) at(source.topic).to.add(target.node);
  return [...topics].map(([text, { from, to: hears }]) => ({ text, hint: `topic: ${[...from].join(", ") || "nobody"} → ${[...hears].join(", ") || "nobody"}`, act: () => go("node", [...from, ...hears][0] ?? "") }));
}

/** Each field of a component's contracts, with where it stands. */
function fieldsOf(one: Component): Found[] {
  const found = (name: string, place: string, side: string, where: string) => ({ text: name, hint: `field of ${where}`, act: () => go("field", one.name, place, side, name) });
  return [
    ...one.methods.flatMap((method) => [...method.inputs.map((port) => found(port.name, method.name, "input", `${one.name}.${method.name}, taken`)), ...method.outputs.map((port) => found(port.name, method.name, "output", `${one.name}.${method.name}, given`))]),
    ...one.publishes.flatMap(({ topic, ports }) => ports.map((port) => found(port.name, topic, "payload", `${topic}, sent by ${one.name}`))),
  ];
}

/** What was proposed in these negotiations. */
async function proposalsOf(ids: string[]): Promise<Found[]> {
  const logs = await Promise.all(ids.map((id) => api.getNegotiation(id).then((told) => ({ id, log: told.log }), () => null)));
  return logs.flatMap((one) => (one?.log?.rounds ?? []).flatMap((round) => round.proposals.map((proposal) => ({ text: proposal.summary || proposal.id, hint: `proposal, ${proposal.outcome}`, act: () => go("proposal", one!.id, proposal.id) }))));
}

let opened: HTMLDialogElement | null = null; // the palette's own element

/** Open the palette in the same moment: what is typed right after Ctrl-K is typed into it. */
export function find() {
  if (opened && !opened.open) opened.showModal();
  set({ palette: true });
}

export function Palette() {
  const { palette, picture, negotiations, questions, runtime } = useStore();
  const [proposals, keepProposals] = useState<Found[]>([]);
  const [people, keepPeople] = useState<Found[]>([]);
  useEffect(() => {
    if (palette) void proposalsOf(negotiations.filter((one) => one.kind === "proposal").slice(0, 20).map((one) => one.id)).then(keepProposals);
    if (palette) api.listSeats({ limit: 1000 }).then(({ items }) => keepPeople(items.map((one) => ({ text: one.name, hint: `sits at ${one.table}${one.waiting ? ", is asked" : ""}`, act: () => go(...(one.table === "build" ? ["inbox"] : one.table.split("/"))) }))), () => undefined);
  }, [palette, negotiations]);
  const [text, type] = useState("");
  const [at, move] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    opened = dialog.current;
    return () => void (opened = null);
  }, []);
  const all = useMemo((): Found[] => !palette ? [] : [
    ...questions.map((one) => ({ text: `Answer ${one.kind.replaceAll("_", " ")} for ${one.to}`, hint: "waits for you", act: () => go("question", one.id) })),
    { text: "Everything that does not fit", hint: "", act: () => go("") },
    { text: "Build with the agents", hint: "", act: () => go("start") },
    { text: "Build without the agents", hint: "freeze the sources", act: () => (misfitsOf(picture).length ? go("start") : void api.startBuild({ enable_agents: false }).then(() => renew("builds"), say)) }, // what is wrong is said there first
    { text: runtime?.is_running ? "Stop the runtime" : "Start the runtime", hint: "", act: () => (runtime?.is_running || misfitsOf(picture).length ? go("runtime") : void api.startRuntime({}).then(() => renew("runtime"), say)) },
    { text: "Runtime, events, dead letters", hint: "", act: () => go("runtime") },
    { text: "The team of coding agents", hint: "who works on what, overlaps, landed", act: () => go("team", "here") },
    ...["Export the build: AsyncAPI, OpenAPI, Mermaid, DOT", "Read the code without agents", "Settings and policy"].map((text) => ({ text, hint: "the project", act: () => go("project") })),
    { text: "Recorded runs, and replay", hint: "the project", act: () => go("project", "journals") },
    { text: "Change between light and dark", hint: "", act: theme },
    { text: "Close or show the time axis", hint: "", act: foldAxis },
    ...(picture?.links ?? []).filter((one) => one.state !== "fits").map((one) => ({ text: one.id, hint: [wordOf(one.state), ...one.reasons].join(": "), act: () => go("link", one.id) })),
    ...(picture?.components ?? []).flatMap((one) => [
      { text: one.name, hint: one.module, act: () => go("node", one.name) },
      ...one.methods.map((method) => ({ text: `${one.name}.${method.name}`, hint: "method", act: () => go("node", one.name) })),
    ]),
    ...topicsOf(picture),
    ...people,
    ...proposals,
    ...(picture?.components ?? []).flatMap((one) => fieldsOf(one)),
    ...(picture?.links ?? []).filter((one) => one.state === "fits").map((one) => ({ text: one.id, hint: "link", act: () => go("link", one.id) })),
    ...negotiations.map((one) => ({ text: one.question || one.id, hint: `${one.question ? `${one.id}, ` : ""}${one.kind}, ${one.state}`, act: () => go(one.kind === "proposal" ? "negotiation" : one.kind, one.id) })),
  ], [palette, picture, negotiations, questions, runtime, proposals, people]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter((one) => words.every((word) => `${one.text} ${one.hint}`.toLowerCase().includes(word)))
    .sort((one, other) => nearness(one.text, text) - nearness(other.text, text)).slice(0, 40);
  const close = () => {
    dialog.current?.close();
    if (input.current) input.current.value = "";
    type("");
    move(0);
    set({ palette: false });
  };
  const choose = (one: Found | undefined) => {
    close();
    one?.act();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Find anything" onCancel={(e) => { e.preventDefault(); close(); }} onClose={() => dialog.current?.open || close()} onClick={(e) => e.target === dialog.current && close()}>
      <input ref={input} type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant={shown.length ? `found-${at}` : undefined} aria-label="Find" autocomplete="off" value={text}
        onInput={(e) => { type(e.currentTarget.value); move(0); }}
        onKeyDown={(e) => {
          if (e.key === "ArrowDown" || e.key === "ArrowUp") {
            e.preventDefault();
            move(Math.max(0, Math.min(shown.length - 1, at + (e.key === "ArrowDown" ? 1 : -1))));
          } else if (e.key === "Enter") choose(shown[at]);
        }} />
      <ul id="found" role="listbox" aria-label="Found">
        {shown.map((one, i) => (
          <li id={`found-${i}`} role="option" aria-selected={i === at} onClick={() => choose(one)}><span>{plain(one.text)}</span> <small><T>{one.hint}</T></small></li>
        ))}
      </ul>
      {shown.length ? null : <p class="soft">Nothing has that name.</p>}
    </dialog>
  );
}

export function theme() {
  const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const next = dark === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("graphbus-theme", next);
  dispatchEvent(new Event("resize"));
}
