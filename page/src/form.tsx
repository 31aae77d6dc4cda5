// The one place where a form is made from a JSON Schema, and the value that it holds. Nothing is filled in for anybody.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { plain, raw, shown } from "./json";
import { Act } from "./kit";
import type { Marks } from "./marks";

type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  minItems?: number;
  minLength?: number;
  title?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
};
const MAX_DEPTH = 6; // of objects within objects; what lies deeper, or contains itself, is written as JSON
const MOST_SHOWN = 8; // choices that stand side by side; of more one is picked from a list
const SCALE = 11; // numbers that stand side by side, as 0 to 10

export interface Held {
  value: () => unknown;
}

/** `held.value()` gives what was typed; it throws where something is missing, or is not what is asked. */
export function SchemaForm({ schema, held, marks }: { schema: unknown; held: Held; marks?: Marks | undefined }) {
  const fields = useRef(new Map<string, () => unknown>()).current;
  const root = (schema ?? {}) as Schema;
  const top = resolve(root, root);
  const isObject = top.type === "object" && (top.properties || top.oneOf);
  held.value = () => fields.get("")!() ?? (isObject ? {} : undefined);
  return <Field schema={root} root={root} label="" path="" required above={[]} fields={fields} marks={marks} />;
}

interface AnswerProps {
  schema: unknown;
  send: (said: unknown) => Promise<void>;
  says?: string;
  first?: string; // which of several ways is open from the beginning, by its title
  marks?: Marks; // where what is marked outlives a reload
  also?: { says: string; means: string; send: (said: unknown) => Promise<void> }; // another button for the way that is open
}

/** A form with its buttons. A choice among a few is one click; what takes words opens its fields first. What may be said
 * with any of several ways stands above them. */
export function AnswerForm({ schema, send, says = "Answer", first, marks, also }: AnswerProps) {
  const root = (schema ?? {}) as Schema;
  const held = useRef<Held>({ value: () => ({}) }).current;
  const shared = useRef<Held>({ value: () => ({}) }).current;
  const top = resolve(root, root);
  const box = useRef<HTMLDivElement>(null);
  const [at, open] = useState(() => (first ? (top.oneOf ?? []).findIndex((one) => one.title === first) : -1));
  if (top.oneOf && isVariants(top)) {
    const way = top.oneOf[at];
    const whole = (said: unknown) => ({ ...(said as object), ...(shared.value() as object) });
    const give = (said: unknown) => send(whole(said));
    const own = way ? <Act class="primary" do={() => give(held.value())}>{says === "Answer" ? plain(way.title) : says}</Act> : null;
    const both = way?.title === first ? also : undefined; // two ways to say it, always in sight; what else there is stands below them
    return (
      <>
        {top.properties ? <div class="fields"><SchemaForm schema={{ type: "object", properties: top.properties }} held={shared} marks={marks} /></div> : null}
        {way ? <div class="fields" key={at} ref={box}><p class="soft">{plain(way.description)}</p><SchemaForm schema={{ ...way, title: "", description: "" }} held={held} marks={marks} /></div> : null}
        {way ? <Below of={box} /> : null}
        {both ? <div class="row bar">{own}<Act do={() => both.send(whole(held.value()))}>{both.says}</Act><small class="soft beside">{both.means}</small></div> : null}
        <div class={both ? "row" : "row bar"}>
          {both ? null : own}
          {top.oneOf.map((one, i) => {
            const words = Object.values(one.properties!).some((field) => field.const === undefined);
            if (at === i && says === "Answer") return null; // its button stands there already
            if (words) return <button type="button" aria-pressed={at === i} title={plain(one.description)} onClick={() => open(at === i ? -1 : i)}>{plain(one.title)} …</button>;
            return <Act class={i || way ? "" : "primary"} label={plain(one.title)} do={() => give(Object.fromEntries(Object.entries(one.properties!).map(([key, field]) => [key, field.const])))}>{plain(one.title)}</Act>;
          })}
        </div>
      </>
    );
  }
  const only = Object.entries(top.properties ?? {});
  const few = only.length === 1 ? choicesOf(resolve(only[0]![1], root)) : null;
  if (few && few.length <= MOST_SHOWN) {
    return <div class="row bar choices">{few.map((one) => <Act class="primary" do={() => send({ [only[0]![0]]: one.value })}>{plain(one.says)}</Act>)}</div>;
  }
  return (
    <>
      <div class="fields"><SchemaForm schema={schema} held={held} marks={marks} /></div>
      <div class="row bar"><Act class="primary" do={() => send(held.value())}>{says}</Act></div>
    </>
  );
}

/** That a form goes on below what is in sight: nobody hands in what they did not see all of unknowingly. */
function Below({ of }: { of: { current: HTMLDivElement | null } }) {
  const [more, tell] = useState(false);
  useEffect(() => {
    const box = of.current;
    if (!box) return;
    const look = () => tell(box.scrollHeight - box.clientHeight - box.scrollTop > 8);
    const watched = new ResizeObserver(look);
    watched.observe(box);
    box.addEventListener("scroll", look);
    look();
    return () => (watched.disconnect(), box.removeEventListener("scroll", look));
  }, [of]);
  return more ? <button type="button" class="quiet below" onClick={() => of.current?.scrollBy(0, of.current.clientHeight)}>The form goes on below ↓</button> : null;
}

interface Props {
  schema: Schema;
  root: Schema;
  label: string;
  path: string;
  required: boolean;
  above: Schema[];
  fields: Map<string, () => unknown>;
  marks: Marks | undefined;
}

/** A number that was chosen, and is chosen still after a reload. */
function useMark({ marks, path }: Props, none: number): [number, (value: number) => void] {
  const [at, set] = useState(() => Number(marks?.read(path) ?? none));
  return [at, (value) => (set(value), marks?.write(path, value))];
}

/** The same for what is typed. */
const typed = ({ marks, path }: Props) => ({
  defaultValue: String(marks?.read(path) ?? ""),
  onInput: (event: { currentTarget: { value: string } }) => marks?.write(path, event.currentTarget.value),
});

const typeOf = (schema: Schema) => (Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type);

function Field(props: Props) {
  const real = resolve(props.schema, props.root);
  const type = typeOf(real);
  const label = plain(real.title ?? props.label);
  const inner: Inner = { ...props, real, label, note: noteOf(label, real, props.required) };
  if (real.const !== undefined) return <Fixed {...inner} />;
  const choices = choicesOf(real);
  if (choices) return <Choice {...inner} choices={choices} />;
  if (real.oneOf && isVariants(real)) return <Variants {...inner} />;
  if (type === "boolean") return <Tick {...inner} />;
  if (type === "integer" || type === "number") return <NumberField {...inner} whole={type === "integer"} />;
  if (type === "string") return <TextField {...inner} />;
  const deep = props.above.includes(real) || props.above.length >= MAX_DEPTH;
  if (type === "object" && real.properties && !deep) return <ObjectField {...inner} />;
  if (type === "array" && real.prefixItems && !deep) return <RowField {...inner} />;
  if (type === "array" && real.items && !deep) return <ListField {...inner} />;
  return <JsonField {...inner} />;
}

interface Inner extends Props {
  real: Schema;
  note: string;
}

const noteOf = (label: string, real: Schema, required: boolean) => {
  const name = label ? label + (required || real.default !== undefined ? "" : " (optional)") : "";
  return real.description ? (name ? `${name}: ${plain(real.description)}` : plain(real.description)) : name;
};

function Fixed({ real, path, fields }: Inner) {
  fields.set(path, () => real.const);
  return null;
}

interface Chosen {
  value: unknown;
  says: string;
  means?: string;
}

/** What may be chosen, where the schema is a list of values; else null. */
function choicesOf(real: Schema): Chosen[] | null {
  if (real.enum) return real.enum.map((value) => ({ value, says: typeof value === "string" ? value : shown(value) }));
  if (!real.oneOf?.every((one) => one.const !== undefined)) return null;
  return real.oneOf.map((one) => ({ value: one.const, says: one.title ?? (typeof one.const === "string" ? one.const : shown(one.const)), ...(one.description ? { means: one.description } : {}) }));
}

function Choice(props: Inner & { choices: Chosen[] }) {
  const { real, note, label, path, required, fields, choices } = props;
  const [at, choose] = useMark(props, -1);
  const name = useId();
  fields.set(path, () => {
    if (at >= 0) return choices[at]!.value;
    if (required) throw new Error(label ? `Choose one for “${label}”.` : "Choose one.");
    return undefined;
  });
  if (choices.length > MOST_SHOWN) {
    return (
      <label>
        <span>{note}</span>
        <select value={String(at)} onChange={(e) => choose(Number(e.currentTarget.value))}>
          <option value="-1">—</option>
          {choices.map((one, i) => <option value={String(i)}>{plain(one.says)}{one.means ? ` (${plain(one.means)})` : ""}</option>)}
        </select>
      </label>
    );
  }
  return (
    <fieldset class="pick" role="radiogroup">
      {note ? <legend>{note}</legend> : null}
      {choices.map((one, i) => (
        <label class="tick">
          <input type="radio" name={name} checked={at === i} onChange={() => choose(i)} />
          <span>{plain(one.says)}{one.means ? <small class="soft"> {plain(one.means)}</small> : null}</span>
        </label>
      ))}
      {required || real.default !== undefined ? null : at >= 0 ? <button type="button" onClick={() => choose(-1)}>None of them</button> : null}
    </fieldset>
  );
}

const isVariants = (real: Schema) => real.oneOf!.every((one) => one.type === "object" && one.properties && one.title);

/** One of several kinds of answer: first which, then the fields of that one alone. */
function Variants({ real, root, path, above, fields, label, marks }: Inner) {
  const [at, choose] = useState(-1);
  const name = useId();
  const one = real.oneOf![at];
  if (!one) fields.set(path, () => { throw new Error(label ? `Choose one for “${label}”.` : "Choose one."); });
  return (
    <>
      <fieldset class="pick ways" role="radiogroup">
        {label ? <legend>{label}</legend> : null}
        {real.oneOf!.map((way, i) => (
          <label class="tick"><input type="radio" name={name} checked={at === i} onChange={() => choose(i)} /><span>{plain(way.title)}{way.description ? <small class="soft"> {plain(way.description)}</small> : null}</span></label>
        ))}
      </fieldset>
      {one ? <ObjectField key={at} schema={one} real={{ ...one, title: "", description: "" }} note="" root={root} label="" path={path} required above={above} fields={fields} marks={marks} /> : null}
    </>
  );
}

function Tick({ note, path, fields }: Inner) {
  const at = useRef<HTMLInputElement>(null);
  fields.set(path, () => Boolean(at.current?.checked));
  return <label class="tick"><input type="checkbox" ref={at} /><span>{note}</span></label>;
}

function NumberField(props: Inner & { whole: boolean }) {
  const { real, note, label, path, required, fields, whole } = props;
  const at = useRef<HTMLInputElement>(null);
  const [picked, pick] = useMark(props, NaN);
  const name = useId();
  const [low, high] = [real.minimum, real.maximum];
  const isScale = whole && low !== undefined && high !== undefined && high - low < SCALE;
  fields.set(path, () => {
    const text = isScale ? (Number.isNaN(picked) ? "" : String(picked)) : (at.current?.value ?? "");
    const isOutside = Number(text) < (low ?? -Infinity) || Number(text) > (high ?? Infinity);
    if (text !== "" && isOutside) throw new Error(`“${label || "It"}” takes a number${low === undefined ? "" : ` from ${low}`}${high === undefined ? "" : ` up to ${high}`}.`);
    if (text !== "") return number(text);
    if (required) throw new Error(label ? `A number is missing for “${label}”.` : "A number is missing.");
    return undefined;
  });
  if (!isScale) return <label><span>{note}</span><input type="number" ref={at} {...typed(props)} step={whole ? "1" : "any"} min={low} max={high} /></label>;
  return (
    <fieldset class="scale" role="radiogroup">
      <legend>{note}</legend>
      {Array.from({ length: high - low + 1 }, (_, i) => low + i).map((value) => (
        <label><input type="radio" name={name} checked={picked === value} onChange={() => pick(value)} /><span>{value}</span></label>
      ))}
    </fieldset>
  );
}

const LONG = /reason|text|summary|body|ruling|decision|rationale|why|priority|red_line|trade|offer|want|say/i;

function TextField(props: Inner) {
  const { real, note, label, path, required, fields } = props;
  const at = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  fields.set(path, () => {
    const text = at.current?.value ?? "";
    if (text.trim() || !required) return text.trim() ? text : undefined;
    if (!real.minLength) return text;
    throw new Error(label ? `“${label}” is empty: say it in your own words.` : "Say it in your own words.");
  });
  const long = LONG.test(path) || LONG.test(label);
  return <label><span>{note}</span>{long ? <textarea rows={2} ref={at} {...typed(props)} /> : <input ref={at} autocomplete="off" {...typed(props)} />}</label>;
}

function ObjectField({ real, root, note, path, required, above, fields, marks }: Inner) {
  const inner = Object.entries(real.properties ?? {});
  fields.set(path, () => {
    const said = inner.map(([key]) => [key, fields.get(`${path}/${key}`)!()] as const).filter(([, one]) => one !== undefined);
    return said.length || required ? Object.fromEntries(said) : undefined;
  });
  const parts = inner.map(([key, one]) => (
    <Field key={key} schema={one} root={root} label={key.replaceAll("_", " ")} path={`${path}/${key}`} required={(real.required ?? []).includes(key)} above={[...above, real]} fields={fields} marks={marks} />
  ));
  return note ? <fieldset><legend>{note}</legend>{parts}</fieldset> : <>{parts}</>;
}

/** A list with a value for each of the things that are named. */
function RowField({ real, root, note, path, above, fields, marks }: Inner) {
  const of = real.prefixItems!;
  fields.set(path, () => of.map((_, i) => fields.get(`${path}/${i}`)!()));
  return (
    <fieldset class="rows">
      {note ? <legend>{note}</legend> : null}
      {of.map((one, i) => <Field key={i} schema={one} root={root} label={String(i + 1)} path={`${path}/${i}`} required above={[...above, real]} fields={fields} marks={marks} />)}
    </fieldset>
  );
}

/** As many as somebody wants. Lines of plain text are written as lines. */
function ListField(props: Inner) {
  const of = resolve(props.real.items!, props.root);
  return typeOf(of) === "string" && !choicesOf(of) ? <Lines {...props} of={of} /> : <Entries {...props} />;
}

function Lines(props: Inner & { of: Schema }) {
  const { real, note, label, path, required, fields, of } = props;
  const at = useRef<HTMLTextAreaElement>(null);
  fields.set(path, () => {
    const lines = (at.current?.value ?? "").split("\n").map((one) => one.trim()).filter(Boolean);
    if (lines.length < (real.minItems ?? 0)) throw new Error(`${label || "The list"} is empty: write one a line.`);
    return lines.length || required ? lines : undefined;
  });
  return <label><span>{note}{of.description ? <small class="soft"> {plain(of.description)} {real.minItems ? "One a line." : "One a line; it may stay empty."}</small> : null}</span><textarea rows={3} ref={at} placeholder="One a line" {...typed(props)} /></label>;
}

function Entries({ real, root, note, label, path, required, above, fields, marks }: Inner) {
  const [ids, put] = useState<number[]>(() => Array.from({ length: real.minItems ?? 0 }, (_, i) => i));
  const next = useRef(ids.length);
  fields.set(path, () => {
    const said = ids.map((id) => fields.get(`${path}/${id}`)!());
    if (said.length < (real.minItems ?? 0)) throw new Error(`${label || "The list"} needs ${real.minItems} or more.`);
    return said.length || required ? said : undefined;
  });
  return (
    <fieldset class="entries">
      {note ? <legend>{note}</legend> : null}
      {ids.map((id, i) => (
        <div class="entry" key={id}>
          <Field schema={real.items!} root={root} label={`${label || "entry"} ${i + 1}`} path={`${path}/${id}`} required above={[...above, real]} fields={fields} marks={marks} />
          <button type="button" class="drop" aria-label={`Leave ${label || "entry"} ${i + 1} out`} onClick={() => put(ids.filter((one) => one !== id))}>✕</button>
        </div>
      ))}
      <button type="button" onClick={() => put([...ids, next.current++])}>Add {label ? `to ${label}` : "one"}</button>
    </fieldset>
  );
}

function JsonField({ note, label, path, required, fields }: Inner) {
  const at = useRef<HTMLTextAreaElement>(null);
  fields.set(path, () => {
    const text = at.current?.value ?? "";
    if (text.trim() === "") {
      if (required && label) throw new Error(`“${label}” is empty: write it as JSON.`);
      return undefined;
    }
    try {
      JSON.parse(text);
    } catch (error) {
      throw new Error(`${label || "value"} is not JSON: ${(error as Error).message}`);
    }
    return raw(text); // as it was typed: JavaScript would round large integers
  });
  return <label><span>{note} (JSON)</span><textarea rows={4} ref={at} spellcheck={false} /></label>;
}

/** An integer as it was typed, because JavaScript would round a large one. */
const number = (text: string) => (/^-?(0|[1-9][0-9]*)$/.test(text) ? raw(text) : Number(text));

function resolve(schema: Schema, root: Schema): Schema {
  let found: unknown = schema;
  for (let i = 0; typeof (found as Schema)?.$ref === "string" && i < 16; i++) {
    const ref = (found as Schema).$ref!;
    const keys = ref.replace(/^#\/?/, "").split("/").filter(Boolean).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    found = ref.startsWith("#") ? keys.reduce<unknown>((one, key) => (one as Record<string, unknown>)?.[key], root) : {};
  }
  return found && typeof found === "object" ? (found as Schema) : {};
}
