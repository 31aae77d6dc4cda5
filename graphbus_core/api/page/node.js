// One node: its prompt, contracts, methods, topics, source and history, and a form to call it.
import { call, diff, doing, h, json } from "./kit.js";
import { form } from "./form.js";

export async function show(main, [name]) {
  const node = await call(`/nodes/${encodeURIComponent(name)}`);
  const history = await call(`/why/${encodeURIComponent(name)}`).catch((error) => ({ error }));
  main.replaceChildren(
    h("div", { class: "row" }, h("a", { href: "#/graph" }, "← Graph"), h("h2", { style: "margin:0" }, node.name), node.metadata?.is_arbiter ? h("span", { class: "tag warn" }, "arbiter") : null, h("span", { class: "soft" }, node.source_file)),
    h("div", { class: "card" }, h("h3", {}, "System prompt"), h("pre", { tabindex: "0" }, node.system_prompt.text.trim() || "(none)")),
    ...node.methods.map((m) => method(node, m)),
    h("div", { class: "card" }, h("h2", {}, "Topics"), topics(node)),
    h("div", { class: "card" }, h("h2", {}, "History"), entries(history)),
    h("details", { class: "card" }, h("summary", {}, "Source"), h("pre", { tabindex: "0" }, node.source_code)),
  );
}

function method(node, m) {
  const result = h("pre", { hidden: true, tabindex: "0", "aria-label": "Result" });
  const schema = m.input_schema?.json_schema || { type: "object", properties: {} };
  const input = form(schema);
  const run = async () => {
    result.hidden = false;
    try {
      const answer = await call(`/nodes/${encodeURIComponent(node.name)}/call`, { method: "POST", body: { method: m.name, payload: input.value() } });
      result.textContent = json(answer.result);
    } catch (error) {
      result.textContent = error.path ? `${error.message}\nat ${error.path}` : error.message;
    }
  };
  return h("div", { class: "card" }, h("h2", {}, `${node.name}.${m.name}`), m.description ? h("p", { class: "soft" }, m.description) : null,
    h("div", { class: "split", style: "grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr))" },
      h("div", {}, h("h3", {}, "Takes"), fields(m.input_schema), h("h3", {}, "Gives"), fields(m.output_schema)),
      h("form", { onsubmit: doing(run) }, h("h3", {}, "Call it"), input.element, h("button", { class: "main" }, `Call ${m.name}`), result)));
}

function fields(schema) {
  if (!schema) return h("p", { class: "soft" }, "no contract declared");
  const required = schema.json_schema.required || [];
  const rows = Object.entries(schema.json_schema.properties || {}).map(([name, s]) => h("tr", {}, h("td", {}, h("code", {}, name)), h("td", {}, type(s)), h("td", { class: "soft" }, required.includes(name) ? "" : "optional")));
  return h("table", {}, h("tbody", {}, ...rows));
}

function type(s) {
  if (s.enum) return s.enum.map((v) => JSON.stringify(v)).join(" | ");
  if (s.anyOf) return s.anyOf.map(type).join(" | ");
  if (s.type === "array") return s.items ? `list of ${type(s.items)}` : "list";
  if (s.type === "object" && s.properties) return `{${Object.keys(s.properties).join(", ")}}`;
  return [s.type || s.$ref?.split("/").pop() || "anything"].flat().join(" | ");
}

function topics(node) {
  const rows = [...node.subscriptions.map((s) => ["listens to", s.topic, s.handler]), ...node.publications.map((p) => ["publishes", p.topic, p.method || ""])];
  return rows.length ? h("table", {}, h("tbody", {}, ...rows.map((r) => h("tr", {}, ...r.map((c) => h("td", {}, c)))))) : h("p", { class: "soft" }, "none");
}

function entries({ error, entries: list = [], damaged = [] }) {
  if (error) return h("p", { class: "bad" }, `The history cannot be read: ${error.message}`);
  const missing = damaged.map((d) => h("p", { class: "bad" }, `${d.id} cannot be read to its end, so its part may be missing: ${d.damage}`));
  if (!list.length) return h("div", {}, ...missing, missing.length ? null : h("p", { class: "soft" }, "No proposal has touched this node."));
  return h("div", {}, ...missing, ...list.map((e) => h("details", {}, h("summary", {}, `${e.proposal_id}  ${e.summary || ""} `, h("span", { class: `tag ${e.outcome === "committed" ? "good" : "bad"}` }, e.outcome || "open"), e.dry_run ? " dry run: nothing was changed" : e.undone ? " taken back" : ""), h("p", {}, e.rationale || ""), e.unified_diff ? diff(e.unified_diff) : null)));
}
