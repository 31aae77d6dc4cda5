// A negotiation as people would tell it: rounds as bands, a row for each proposal, a lane for each voice. Live or replayed.
import { call, diff, doing, h, json, listen } from "./kit.js";

const MOOD = { committed: "good", accept: "good", accept_with_modification: "good", accept_modified: "good", agreed: "good", done: "good", consent: "good", rejected: "bad", reject: "bad", commit_failed: "bad", object: "bad", counter: "warn", defer: "warn", deferred: "warn", superseded: "warn", unheard: "warn", split: "warn", escalate: "warn" };
const tag = (text) => h("span", { class: `tag ${MOOD[String(text).toLowerCase()] || "soft"}` }, text);

/** The negotiation of that id, or the newest, also when a newer one begins. */
export async function show(main, [id]) {
  let stop = () => {};
  let over = false;
  let known = null; // how many there are
  let drawing = false;
  const draw = async () => {
    if (drawing) return;
    drawing = true;
    try {
      const { negotiations } = await call("/negotiations");
      if (over || (known !== null && negotiations.length === known)) return;
      known = negotiations.length;
      stop();
      stop = () => {};
      const next = await shown(main, id, negotiations);
      if (over) next();
      else stop = next;
    } finally {
      drawing = false;
    }
  };
  await draw();
  let due = null;
  const stopListening = listen((m) => {
    // A build names its negotiation once that has begun; others' negotiations come as facts.
    if (!["build", "negotiation"].includes(m.kind) || due) return;
    due = setTimeout(() => ((due = null), draw().catch(() => {})), 400);
  });
  return () => {
    over = true;
    clearTimeout(due);
    stopListening();
    stop();
  };
}

async function shown(main, id, negotiations) {
  if (!negotiations.length) {
    main.replaceChildren(h("div", { class: "card" }, h("h2", {}, "No negotiation yet"), h("p", {}, "Start a build with agents on the ", h("a", { href: "#/graph" }, "graph"), ".")));
    return () => {};
  }
  const chosen = negotiations.find((n) => n.id === id) || negotiations[0];
  const body = h("div", {});
  const thinking = h("p", { class: "wait", role: "status" });
  const select = h("select", { "aria-label": "Negotiation", onchange: () => (location.hash = `#/negotiation/${encodeURIComponent(select.value)}`) }, ...negotiations.map((n) => h("option", { value: n.id, selected: n.id === chosen.id }, `${n.id} (${n.kind}, ${n.state}${n.dry_run ? ", dry run" : ""})`)));
  const slider = h("input", { type: "range", min: "0", max: String(chosen.events), value: String(chosen.events), "aria-label": "Replay: facts shown" });
  const place = h("span", { class: "soft" });
  let following = true;
  const draw = async (at) => {
    const data = await call(`/negotiations/${encodeURIComponent(chosen.id)}${at === null ? "" : `?at=${at}`}`);
    slider.max = String(data.events);
    if (at === null) slider.value = String(data.events);
    place.textContent = `fact ${at ?? data.events} of ${data.events}`;
    const opened = new Set([...body.querySelectorAll("details[open]")].map((d) => d.dataset.key));
    const damage = data.damage ? [h("p", { class: "bad" }, `Damaged: ${data.damage} What follows is what stands before the damage.`)] : [];
    body.replaceChildren(...damage, ...render(data));
    for (const d of body.querySelectorAll("details")) d.open = d.open || opened.has(d.dataset.key);
  };
  slider.addEventListener("input", doing(() => {
    following = slider.value === slider.max;
    return draw(following ? null : Number(slider.value));
  }));
  const resume = chosen.kind === "proposal" && chosen.state === "unfinished" && chosen === negotiations.find((n) => n.kind === "proposal") ? h("button", { onclick: doing(() => call("/builds", { method: "POST", body: { resume: true } })) }, "Go on with it") : null;
  const live = h("button", { onclick: doing(() => ((following = true), draw(null))) }, "Follow live");
  main.replaceChildren(h("div", { class: "row" }, h("h2", { style: "margin:0" }, "Negotiation"), select, resume), h("div", { class: "row" }, slider, place, live), thinking, body);
  await draw(null);
  let due = null;
  const stop = listen((message) => {
    if (message.kind === "thinking") thinking.textContent = message.data.agents.length ? `${message.data.agents.join(", ")} ${message.data.agents.length > 1 ? "are" : "is"} thinking` : "";
    if (!following || !["negotiation", "proposal", "commit", "build"].includes(message.kind) || due) return;
    due = setTimeout(() => ((due = null), draw(null).catch(() => {})), 150);
  });
  return () => {
    stop();
    clearTimeout(due);
  };
}

function render(data) {
  if (data.kind === "consent") return consent(data);
  if (data.kind === "document") return documents(data);
  const usage = data.log.usage?.tokens ? h("span", { class: "soft" }, `${data.log.usage.tokens.toLocaleString()} tokens, $${(data.log.usage.cost_usd ?? 0).toFixed(4)}`) : null;
  const head = h("div", { class: "row" }, ...counted(data.log).map(([k, n]) => h("span", {}, `${n} ${k.replaceAll("_", " ")}`)), data.log.dry_run ? h("strong", { class: "warn" }, "dry run: nothing was changed") : null, usage);
  return [head, ...data.log.rounds.map((round) => h("section", { class: "band", "aria-label": `Round ${round.round}` }, h("h3", { style: "margin-top:0" }, `Round ${round.round}`), round.proposals.length ? round.proposals.map(proposal) : h("p", { class: "soft" }, "nobody proposed anything")))];
}

/** The usual outcomes always, others where there are any. */
function counted(log) {
  const found = new Map(["committed", "rejected", "deferred"].map((k) => [k, log[k] ?? 0]));
  for (const p of log.rounds.flatMap((round) => round.proposals)) {
    if (p.outcome && log[p.outcome] === undefined) found.set(p.outcome, (found.get(p.outcome) || 0) + 1);
  }
  return [...found];
}

function proposal(p) {
  const outcome = p.outcome || "open";
  const files = p.files_changed?.length ? h("p", { class: "soft" }, `Files: ${p.files_changed.join(", ")}`) : null;
  const since = p.dry_run ? "dry run: nothing was changed" : p.undone ? `taken back${p.undone.at ? ` on ${p.undone.at.slice(0, 10)}` : ""}` : "";
  const gates = p.gates ? h("p", { class: "soft" }, p.gates.passed.length ? `Gates passed: ${p.gates.passed.join(", ")}` : "", p.gates.failed ? h("span", { class: "bad" }, ` Refused by: ${p.gates.failed.gate}`) : null) : null;
  return h("article", { class: `proposal ${outcome}` },
    h("div", { class: "row" }, h("strong", {}, p.proposer), h("code", {}, p.id), h("span", { class: "soft" }, p.type), tag(outcome), since ? h("span", { class: "tag warn" }, since) : null),
    h("p", { style: "margin:4px 0" }, p.summary || p.rationale || ""),
    p.rationale && p.summary ? h("p", { class: "soft", style: "margin:4px 0" }, p.rationale) : null,
    h("div", { class: "lane" }, ...(p.evaluations || []).flatMap((e) => [h("span", {}, e.agent, " "), h("span", {}, tag(e.decision), " ", e.reasoning || "")]),
      ...(p.arbitration ? [h("span", {}, `${p.arbitration.arbiter} (arbiter)`), h("span", {}, tag(p.arbitration.decision), " ", p.arbitration.ruling || "")] : [])),
    p.why ? h("p", { class: MOOD[outcome] || "soft" }, p.why) : null, gates, files,
    h("details", { "data-key": p.id }, h("summary", {}, "Diff"), p.unified_diff ? diff(p.unified_diff) : h("pre", { tabindex: "0" }, json(p.diff ?? {}))));
}

function consent(data) {
  const turns = (data.log.turns || []).map((t) => h("article", { class: "proposal" }, h("div", { class: "row" }, h("strong", {}, t.who), tag(t.kind)), h("p", { style: "white-space:pre-wrap;margin:4px 0" }, t.text || "")));
  return [h("div", { class: "row" }, tag(data.log.status || data.state)), curve(data.log.satisfaction), ...turns];
}

function curve(satisfaction) {
  if (!satisfaction || !Object.keys(satisfaction).length) return null;
  const names = Object.keys(satisfaction);
  const steps = Math.max(...names.map((n) => satisfaction[n].length), 2);
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", "0 0 600 200");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "How well each advocate is served, turn by turn");
  const colours = ["#1f5fbf", "#1a7040", "#b3261e", "#8a5a00", "#5b3fa8", "#00708a", "#a0307a", "#556b2f", "#666666"];
  names.forEach((name, i) => {
    const line = document.createElementNS(ns, "polyline");
    line.setAttribute("points", satisfaction[name].map((v, x) => `${20 + (x * 460) / (steps - 1)},${190 - v * 170}`).join(" "));
    line.setAttribute("fill", "none");
    line.setAttribute("stroke", colours[i % colours.length]);
    line.setAttribute("stroke-width", "2");
    const label = document.createElementNS(ns, "text");
    label.setAttribute("x", "490");
    label.setAttribute("y", String(20 + i * 18));
    label.setAttribute("fill", colours[i % colours.length]);
    label.setAttribute("font-size", "13");
    const now = satisfaction[name].at(-1);
    label.textContent = now === undefined ? name : `${name} ${Math.round(now * 100)} %`;
    svg.append(line, label);
    satisfaction[name].forEach((v, x) => {
      const dot = document.createElementNS(ns, "circle");
      dot.setAttribute("cx", String(20 + (x * 460) / (steps - 1)));
      dot.setAttribute("cy", String(190 - v * 170));
      dot.setAttribute("r", "4");
      dot.setAttribute("fill", colours[i % colours.length]);
      svg.append(dot);
    });
  });
  return h("div", { class: "card" }, h("h3", { style: "margin-top:0" }, "How well each is served, proposal by proposal"), svg);
}

function documents(data) {
  const rows = (data.log.issues || []).map((i) => h("tr", {}, h("td", {}, i.issue), h("td", {}, tag(i.status)), h("td", {}, i.decision || ""), h("td", { class: "soft" }, `${i.positions ?? 0} positions`)));
  return [h("div", { class: "row" }, h("span", {}, `turn: ${data.log.turn ?? "-"}`)), h("div", { class: "card scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Issue", "State", "Decision", ""].map((c) => h("th", {}, c)))), h("tbody", {}, ...rows)))];
}
