// A form made from a JSON Schema, and the value that it holds. What has no better control is written as JSON.
import { useRef } from "preact/hooks";
import { plain, raw, shown } from "./json";

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
};
const MAX_DEPTH = 6; // of objects within objects; what lies deeper, or contains itself, is written as JSON

export interface Held {
  value: () => unknown;
}

/** `held.value()` gives what was typed; it throws where that is not JSON. */
export function SchemaForm({ schema, held }: { schema: unknown; held: Held }) {
  const fields = useRef(new Map<string, () => unknown>()).current;
  const root = (schema ?? {}) as Schema;
  const top = resolve(root, root);
  const isObject = top.type === "object" && top.properties;
  held.value = () => fields.get("")!() ?? (isObject ? {} : undefined);
  return <Field schema={root} root={root} label="" path="" required above={[]} fields={fields} />;
}

interface Props {
  schema: Schema;
  root: Schema;
  label: string;
  path: string;
  required: boolean;
  above: Schema[];
  fields: Map<string, () => unknown>;
}

function Field({ schema, root, label, path, required, above, fields }: Props) {
  const at = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null);
  const real = resolve(schema, root);
  const name = plain(label + (required ? "" : " (optional)"));
  const note = real.description ? `${name}: ${plain(real.description)}` : name;
  const type = Array.isArray(real.type) ? real.type.find((one) => one !== "null") : real.type;
  const text = () => at.current?.value ?? "";
  if (real.enum) {
    fields.set(path, () => (text() === "" ? undefined : real.enum![Number(text())]));
    return (
      <label>
        <span>{note}</span>
        <select ref={at}>
          {required ? null : <option value="">—</option>}
          {real.enum.map((one, i) => <option value={String(i)}>{plain(typeof one === "string" ? one : shown(one))}</option>)}
        </select>
      </label>
    );
  }
  if (type === "boolean") {
    fields.set(path, () => Boolean(at.current?.checked));
    return <label class="tick"><input type="checkbox" ref={at} /><span>{note}</span></label>;
  }
  if (type === "integer" || type === "number") {
    fields.set(path, () => (text() === "" ? undefined : number(text())));
    return <label><span>{note}</span><input type="number" ref={at} step={type === "integer" ? "1" : "any"} min={real.minimum} max={real.maximum} /></label>;
  }
  if (type === "string") {
    fields.set(path, () => (text() === "" && !required ? undefined : text()));
    const long = /reason|text|summary|body|ruling|decision|rationale/i.test(label);
    return <label><span>{note}</span>{long ? <textarea rows={2} ref={at} /> : <input ref={at} autocomplete="off" />}</label>;
  }
  if (type === "object" && real.properties && !above.includes(real) && above.length < MAX_DEPTH) {
    const inner = Object.entries(real.properties);
    fields.set(path, () => {
      const said = inner.map(([key]) => [key, fields.get(`${path}/${key}`)!()] as const).filter(([, one]) => one !== undefined);
      return said.length || required ? Object.fromEntries(said) : undefined;
    });
    return (
      <fieldset>
        {label ? <legend>{note}</legend> : null}
        {inner.map(([key, one]) => (
          <Field key={key} schema={one} root={root} label={key} path={`${path}/${key}`} required={(real.required ?? []).includes(key)} above={[...above, real]} fields={fields} />
        ))}
      </fieldset>
    );
  }
  fields.set(path, () => {
    if (text().trim() === "") return undefined;
    try {
      JSON.parse(text());
    } catch (error) {
      throw new Error(`${label || "value"} is not JSON: ${(error as Error).message}`);
    }
    return raw(text()); // as it was typed: JavaScript would round large integers
  });
  return <label><span>{note} (JSON)</span><textarea rows={4} ref={at} spellcheck={false} defaultValue={required ? shown(example(real, type)) : ""} /></label>;
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

function example(schema: Schema, type?: string): unknown {
  if (schema.default !== undefined) return schema.default;
  const made: Record<string, unknown> = { array: [], object: {}, string: "", integer: 0, number: 0, boolean: false };
  return type ? (made[type] ?? {}) : {};
}
