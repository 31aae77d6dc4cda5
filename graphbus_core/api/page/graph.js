// Nodes and typed links; what does not fit is red and says why; messages pulse along the links.
import { call, doing, h, json, listen } from "./kit.js";

const COLOURS = { depends_on: "#8b949e", schema_depends: "#1f5fbf", topic: "#7a5cc4" };

/** The view, drawn anew after each build; one at a time. */
export async function show(main) {
  let stop = () => {};
  let over = false;
  let drawn = Promise.resolve();
  const draw = (said) => {
    drawn = drawn.catch(() => {}).then(async () => {
      if (over) return;
      const next = await shown(main, said, () => over);
      stop();
      stop = next;
      if (over) stop();
    });
    return drawn;
  };
  const stopListening = listen((message) => {
    if (message.kind === "build" && message.data.state !== "running") draw(told(message.data)).catch(() => {});
  });
  await draw("").catch((error) => {
    stopListening();
    throw error;
  });
  return () => {
    over = true;
    stopListening();
    stop();
  };
}

const told = (build) => `${build.id}: ${build.state}${build.detail ? ` - ${build.detail}` : ""}`;

async function shown(main, said, isOver = () => false) {
  const [data, { builds }] = await Promise.all([call("/graph"), call("/builds")]);
  if (isOver()) return () => {};
  const underWay = builds.find((b) => b.state === "running");
  const broken = data.edges.filter((e) => e.mismatch);
  const box = h("div", { id: "graph", role: "img", "aria-label": `${data.nodes.length} nodes, ${data.edges.length} links, ${broken.length} that do not fit` });
  const search = h("input", { type: "search", placeholder: "Find a node  ( / )", "aria-label": "Find a node" });
  const building = h("span", { class: "soft", role: "status" }, underWay ? told(underWay) : said);
  const cancel = h("button", { class: "no", hidden: !underWay, onclick: doing(() => call(`/builds/${encodeURIComponent(cancel.dataset.build)}/cancel`, { method: "POST" })), "data-build": underWay?.id }, "Cancel the build");
  const tip = h("div", { id: "tip", class: "card", hidden: true });
  const enable = h("input", { type: "checkbox", checked: true });
  const approve = h("input", { type: "checkbox", checked: true });
  const humans = h("input", { placeholder: "I speak for …", "aria-label": "Agents that I speak for", list: "agents" });
  const names = h("datalist", { id: "agents" }, ...data.nodes.slice(0, 500).map((n) => h("option", { value: n.id })));
  const running = (build) => {
    building.textContent = told(build);
    cancel.dataset.build = build.id;
    cancel.hidden = build.state !== "running";
  };
  const start = async () => {
    const mine = humans.value.split(",").map((n) => n.trim()).filter(Boolean);
    const build = await call("/builds", { method: "POST", body: { enable_agents: enable.checked, approve: approve.checked, humans: enable.checked ? mine : [] } });
    running(build);
  };
  const side = h("div", { class: "card" }, h("h2", {}, broken.length ? `${broken.length} link${broken.length > 1 ? "s do" : " does"} not fit` : "Every link fits"), ...broken.map(mismatch), h("h3", {}, "Nodes"), list(data));
  main.replaceChildren(
    h("div", { class: "row" }, search,
      h("button", { class: "main", onclick: doing(start) }, "Build"),
      h("label", { class: "tick" }, enable, h("span", {}, "let agents negotiate")),
      h("label", { class: "tick" }, approve, h("span", {}, "ask me before each commit")), humans, names, cancel, building),
    h("div", { class: "split" }, box, side), tip);
  const cy = draw(box, data, tip);
  search.addEventListener("input", () => find(cy, search.value));
  search.addEventListener("keydown", (event) => {
    const hit = cy.nodes(".found")[0];
    if (event.key === "Enter" && hit) location.hash = `#/node/${encodeURIComponent(hit.id())}`;
  });
  const stop = listen((message) => {
    if (message.kind === "event") pulse(cy, message.data);
    if (message.kind === "build" && message.data.state === "running") running(message.data);
  });
  return () => {
    stop();
    cy.destroy();
  };
}

function list(data) {
  return h("ul", {}, ...data.nodes.slice(0, 200).map((n) => h("li", {}, h("a", { href: `#/node/${encodeURIComponent(n.id)}` }, n.id), n.is_arbiter ? " (arbiter)" : "")),
    data.nodes.length > 200 ? h("li", { class: "soft" }, `and ${data.nodes.length - 200} more: use the search`) : null);
}

function mismatch(edge) {
  const m = edge.mismatch;
  return h("details", { open: true }, h("summary", { class: "bad" }, `${m.producer} → ${m.consumer}`), ...m.reasons.map((r) => h("p", {}, r)),
    m.counterexample === null ? null : h("div", {}, h("p", { class: "soft" }, "A payload that the producer may send and the consumer rejects:"), h("pre", { tabindex: "0" }, json(m.counterexample))));
}

function draw(box, data, tip) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const ink = dark ? "#e8eaed" : "#1c2024";
  const elements = [
    ...data.nodes.map((n) => ({ data: { ...n }, position: { x: n.x, y: n.y } })),
    ...data.edges.map((e) => ({ data: { ...e, colour: e.mismatch ? "#d93025" : COLOURS[e.type] || "#8b949e" } })),
  ];
  const big = data.nodes.length > 300;
  const cy = window.cytoscape({
    container: box, elements, layout: { name: "preset", fit: true, padding: 30 }, 
    textureOnViewport: big, hideEdgesOnViewport: false, pixelRatio: big ? 1 : "auto", minZoom: 0.02, maxZoom: 4,
    style: [
      { selector: "node", style: { label: "data(id)", color: ink, "font-size": 13, "min-zoomed-font-size": 7, "text-valign": "bottom", "text-margin-y": 5, "background-color": dark ? "#84b4ff" : "#1f5fbf", width: 30, height: 30 } },
      { selector: "node[?is_arbiter]", style: { shape: "diamond", "background-color": "#b07a10" } },
      { selector: "edge", style: { width: 2, "line-color": "data(colour)", "target-arrow-color": "data(colour)", "target-arrow-shape": "triangle", "curve-style": big ? "straight" : "bezier" } },
      { selector: "edge[?mismatch]", style: { width: 4, "line-style": "dashed" } },
      { selector: 'edge[type = "topic"]', style: { "line-style": "dotted" } },
      { selector: ".found", style: { "border-width": 4, "border-color": "#d98e00" } },
      { selector: ".dim", style: { opacity: 0.25 } },
      { selector: ".pulse", style: { width: 7, "line-color": "#18a058", "target-arrow-color": "#18a058" } },
      { selector: "node.pulse", style: { "background-color": "#18a058" } },
    ],
  });
  cy.on("tap", "node", (event) => (location.hash = `#/node/${encodeURIComponent(event.target.id())}`));
  cy.on("mouseover", "edge", (event) => {
    const e = event.target.data();
    const why = e.mismatch ? [h("strong", { class: "bad" }, `${e.mismatch.producer} → ${e.mismatch.consumer}`), ...e.mismatch.reasons.map((r) => h("p", {}, r)), h("pre", {}, json(e.mismatch.counterexample))] : [`${e.source} → ${e.target}`, h("p", { class: "soft" }, e.label || e.type)];
    tip.replaceChildren(...why);
    tip.style.left = `${Math.min(event.originalEvent.clientX + 12, innerWidth - 440)}px`;
    tip.style.top = `${event.originalEvent.clientY + 12}px`;
    tip.hidden = false;
  });
  cy.on("mouseout", "edge", () => (tip.hidden = true));
  return cy;
}

function find(cy, text) {
  cy.elements().removeClass("found dim");
  if (!text) return;
  const hits = cy.nodes().filter((n) => n.id().toLowerCase().includes(text.toLowerCase()));
  cy.nodes().not(hits).addClass("dim");
  hits.addClass("found");
  if (hits.length) cy.animate({ fit: { eles: hits, padding: 90 } }, { duration: 200 });
}

function pulse(cy, event) {
  const source = cy.getElementById(event.src);
  const hit = source.outgoers(`edge`).filter((e) => e.data("topic") === event.topic).union(source);
  hit.addClass("pulse");
  setTimeout(() => hit.removeClass("pulse"), 450);
}
