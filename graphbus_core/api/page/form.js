// A form made from a JSON Schema, and the value that it holds.
import { h, json, raw } from "./kit.js";

const MAX_DEPTH = 6; // of objects within objects; what lies deeper, or contains itself, is written as JSON

/** Returns {element, value()}. What has no better control is written as JSON. */
export function form(schema, label = "", root = schema, required = true, above = []) {
  const real = resolve(schema, root);
  const name = label + (required ? "" : " (optional)");
  const note = real.description ? `${name}: ${real.description}` : name;
  if (real.enum) {
    const options = real.enum.map((value, i) => h("option", { value: String(i) }, typeof value === "string" ? value : JSON.stringify(value)));
    const select = h("select", {}, ...options);
    return { element: h("label", {}, h("span", {}, note), select), value: () => real.enum[Number(select.value)] };
  }
  if (real.type === "boolean") {
    const box = h("input", { type: "checkbox" });
    return { element: h("label", { class: "tick" }, box, h("span", {}, note)), value: () => box.checked };
  }
  if (real.type === "integer" || real.type === "number") {
    const input = h("input", { type: "number", step: real.type === "integer" ? "1" : "any", min: real.minimum, max: real.maximum });
    return { element: h("label", {}, h("span", {}, note), input), value: () => (input.value === "" ? undefined : number(input.value)) };
  }
  if (real.type === "string") {
    const long = real.maxLength === undefined || real.maxLength > 80;
    const input = h(long && /reason|text|summary|body/i.test(label) ? "textarea" : "input", { rows: "2" });
    return { element: h("label", {}, h("span", {}, note), input), value: () => (input.value === "" && !required ? undefined : input.value) };
  }
  if (real.type === "object" && real.properties && !above.includes(real) && above.length < MAX_DEPTH) {
    const fields = Object.entries(real.properties).map(([key, inner]) => [key, form(inner, key, root, (real.required || []).includes(key), [...above, real])]);
    const box = h("fieldset", { style: "border:0;padding:0;margin:0" }, label ? h("legend", {}, note) : null, ...fields.map(([, f]) => f.element));
    const value = () => Object.fromEntries(fields.map(([key, f]) => [key, f.value()]).filter(([, v]) => v !== undefined));
    return { element: box, value };
  }
  const area = h("textarea", { rows: "4", spellcheck: "false", value: required ? json(example(real)) : "" });
  const value = () => {
    if (area.value.trim() === "") return undefined;
    try {
      JSON.parse(area.value);
      return raw(area.value); // as it was typed: JavaScript would round large integers
    } catch (error) {
      throw new Error(`${label || "value"} is not JSON: ${error.message}`);
    }
  };
  return { element: h("label", {}, h("span", {}, `${note} (JSON)`), area), value };
}

/** An integer as it was typed, because JavaScript would round a large one. */
const number = (text) => (/^-?(0|[1-9][0-9]*)$/.test(text) ? raw(text) : Number(text));

function resolve(schema, root) {
  let found = schema;
  for (let i = 0; typeof found?.$ref === "string" && i < 16; i++) {
    const keys = found.$ref.replace(/^#\/?/, "").split("/").filter(Boolean).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    found = found.$ref.startsWith("#") ? keys.reduce((o, key) => o?.[key], root) : {};
  }
  return found && typeof found === "object" ? found : {};
}

function example(schema) {
  if (schema.default !== undefined) return schema.default;
  return { array: [], object: {}, string: "", integer: 0, number: 0, boolean: false }[schema.type] ?? {};
}
