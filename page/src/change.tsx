// A change as steps that one picks: what, on which field, to what. The diff and its dry run follow with every key.
import type { Picture } from "../../clients/typescript/graphbus";
import { plain } from "./json";
import { type Op, opText, T } from "./kit";
import { useStore } from "./store";

interface Place {
  node: string;
  method?: string;
  topic?: string;
  side?: string;
  field?: string;
}

/** One step while it is made. `more` is what an operation says beside it, and is kept as it came. */
export interface Step {
  what: string;
  at: string;
  name: string;
  type: string;
  more: Partial<Op>;
}

const WHATS: [string, string, "field" | "side" | "none"][] = [
  ["rename_field", "Rename", "field"],
  ["retype_field", "Change the type of", "field"],
  ["optional", "Make optional:", "field"],
  ["required", "Make required:", "field"],
  ["add_field", "Add a field to", "side"],
  ["remove_field", "Remove", "field"],
];
const TYPES = ["str", "int", "float", "bool", "list[str]", "dict[str, Any]", "str | None"];

const keyOf = (one: Place) => [one.topic ? `${one.node} -> ${one.topic}` : `${one.node}.${one.method}`, one.side, one.field].filter(Boolean).join(" ");

/** Every field and every side of the contracts of these components, by what a person reads. */
function places(picture: Picture | null, nodes: string[]): Map<string, Place> {
  const found = new Map<string, Place>();
  const put = (one: Place) => found.set(keyOf(one), one);
  for (const name of nodes) {
    const card = picture?.components.find((one) => one.name === name);
    for (const method of card?.methods ?? []) {
      for (const [side, ports] of [["input", method.inputs], ["output", method.outputs]] as const) {
        put({ node: name, method: method.name, side });
        for (const port of ports) put({ node: name, method: method.name, side, field: port.name });
      }
    }
    for (const { topic, ports } of card?.publishes ?? []) {
      put({ node: name, topic, side: "payload" });
      for (const port of ports) put({ node: name, topic, side: "payload", field: port.name });
    }
  }
  return found;
}

/** An operation as a step. What has no form of its own stays whole in `more`. */
export function stepOf(op: Op): Step {
  const { op: what, node, method, topic, side, field, to, type, optional, ...more } = op as Op & { topic?: string };
  const place = { node, method, topic, side } as Place;
  if (!side || !WHATS.some(([one]) => one === what || (what === "set_optional" && one === "optional"))) return { what: "given", at: "", name: "", type: "", more: op };
  if (what === "add_field") return { what, at: keyOf(place), name: field ?? "", type: type ?? "", more: optional === undefined ? more : { ...more, optional } };
  return { what: what === "set_optional" ? (optional === false ? "required" : "optional") : what, at: keyOf({ ...place, field }), name: to ?? "", type: type ?? "", more };
}

/** The operation that a step says; null while something of it is missing. */
function opOf(step: Step, known: Map<string, Place>): Op | null {
  if (step.what === "given") return step.more as Op;
  const place = known.get(step.at);
  if (!place) return null;
  switch (step.what) {
    case "rename_field":
      return step.name && step.name !== place.field ? ({ op: step.what, ...place, to: step.name, ...step.more } as Op) : null;
    case "retype_field":
      return step.type ? ({ op: step.what, ...place, type: step.type, ...step.more } as Op) : null;
    case "optional":
    case "required":
      return { op: "set_optional", ...place, optional: step.what === "optional", ...step.more } as Op;
    case "add_field":
      return step.name && step.type ? ({ op: step.what, ...place, field: step.name, type: step.type, ...step.more } as Op) : null;
    default:
      return { op: step.what, ...place, ...step.more } as Op;
  }
}

/** The places that these steps may be about: those of `nodes`, and where the steps already stand. */
function knownTo(picture: Picture | null, nodes: string[], given: Op[]): Map<string, Place> {
  const known = places(picture, nodes);
  for (const { op, node, method, side, field, ...more } of given) {
    const place: Place = { node, method, topic: more.topic as string | undefined, side };
    if (!side) continue;
    for (const one of [place, { ...place, field }]) if (!known.has(keyOf(one))) known.set(keyOf(one), one);
  }
  return known;
}

interface Props {
  nodes: string[]; // whose contracts may be changed; whoever asks stands first
  given: Op[]; // what the steps began with: their places are offered, too
  steps: Step[];
  change: (steps: Step[]) => void;
}

/** The diff of the steps that are whole; null where there is none. */
export function diffOf(picture: Picture | null, { nodes, given, steps }: Omit<Props, "change">): Op[] | null {
  const known = knownTo(picture, nodes, given);
  const found = steps.map((one) => opOf(one, known)).filter((one): one is Op => one !== null);
  return found.length ? found : null;
}

/** The step that a change begins with. */
export const blankStep = (picture: Picture | null, nodes: string[]): Step => ({ what: "rename_field", at: firstOf(places(picture, nodes), "field"), name: "", type: "", more: {} });

const firstOf = (known: Map<string, Place>, kind: string) => [...known].find(([, one]) => (kind === "side") === (one.field === undefined))?.[0] ?? "";

/** The same new name at the other ends of the links whose fields these steps rename: without it a link breaks that fits today. */
export function togetherWith(picture: Picture | null, nodes: string[], steps: Step[]): Step[] {
  const known = places(picture, nodes);
  const found = steps.filter((one) => one.what === "rename_field" && one.name).flatMap((step) => {
    const here = known.get(step.at);
    const ends = (picture?.links ?? []).flatMap(({ source, target, fields }) => fields.filter((one) => one.fits && one.source).map((one) => {
      const given = source.topic ? { node: source.node, topic: source.topic, side: "payload", field: one.source! } : { node: source.node, method: source.method!, side: "output", field: one.source! };
      return [given, { node: target.node, method: target.method!, side: "input", field: one.target }].map(keyOf);
    }));
    const others = here ? ends.filter((one) => one.includes(step.at)).flat().filter((one) => one !== step.at && known.has(one)) : [];
    return others.map((at) => ({ ...step, at, more: {} }));
  });
  return found.filter((one, i) => !steps.some(({ at }) => at === one.at) && found.findIndex(({ at }) => at === one.at) === i);
}

export function Steps({ nodes, given, steps, change }: Props) {
  const { picture } = useStore();
  const known = knownTo(picture, nodes, given);
  const first = (kind: string) => firstOf(known, kind);
  const put = (at: number, patch: Partial<Step>) => change(steps.map((one, i) => (i === at ? { ...one, ...patch } : one)));
  const types = [...new Set([...TYPES, ...(picture?.components ?? []).filter((one) => nodes.includes(one.name)).flatMap((one) => one.methods.flatMap((m) => [...m.inputs, ...m.outputs].map((port) => port.type)))])];
  return (
    <fieldset class="steps">
      <legend>The change, step by step</legend>
      {steps.map((step, i) => (
        <StepRow step={step} number={i + 1} known={known} first={first} put={(patch) => put(i, patch)} drop={() => change(steps.filter((_, at) => at !== i))} />
      ))}
      <datalist id="types">{types.map((one) => <option value={one} />)}</datalist>
      <button type="button" onClick={() => change([...steps, { what: "rename_field", at: first("field"), name: "", type: "", more: {} }])}>{steps.length ? "One more step" : "Add a step"}</button>
    </fieldset>
  );
}

interface RowProps {
  step: Step;
  number: number;
  known: Map<string, Place>;
  first: (kind: string) => string;
  put: (patch: Partial<Step>) => void;
  drop: () => void;
}

function StepRow({ step, number, known, first, put, drop }: RowProps) {
  const kind = WHATS.find(([one]) => one === step.what)?.[2] ?? "none";
  const offered = [...known].filter(([, one]) => (kind === "side") === (one.field === undefined));
  const pick = (what: string) => {
    const wanted = WHATS.find(([one]) => one === what)![2];
    put({ what, more: {}, ...(wanted === kind ? {} : { at: first(wanted) }) });
  };
  const drops = <button type="button" class="drop" aria-label={`Leave step ${number} out`} onClick={drop}>✕</button>;
  if (step.what === "given") return <p class="row step"><span class="grow"><T>{opText(step.more as Op)}</T></span>{drops}</p>;
  return (
    <div class="row step" role="group" aria-label={`Step ${number}`}>
      <select aria-label={`What, in step ${number}`} value={step.what} onChange={(e) => pick(e.currentTarget.value)}>
        {WHATS.map(([what, text]) => <option value={what}>{text}</option>)}
      </select>
      {drops}
      <select class="grow" aria-label={`Which field, in step ${number}`} value={step.at} onChange={(e) => put({ at: e.currentTarget.value })}>
        {offered.map(([key]) => <option value={key}>{plain(key)}</option>)}
      </select>
      {step.what === "rename_field" || step.what === "add_field" ? <input aria-label={`Name, in step ${number}`} placeholder={step.what === "add_field" ? "its name" : "the new name"} autocomplete="off" value={step.name} onInput={(e) => put({ name: e.currentTarget.value })} /> : null}
      {step.what === "retype_field" || step.what === "add_field" ? <input aria-label={`Type, in step ${number}`} placeholder="its type" list="types" autocomplete="off" value={step.type} onInput={(e) => put({ type: e.currentTarget.value })} /> : null}
    </div>
  );
}
