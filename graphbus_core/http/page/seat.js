// One seat's page: the open question, a form for its answer, and how it ended. The link's key is the part after #: a
// browser sends that nowhere by itself. It is exchanged once for a key of this browser's own. All is text, never markup.
const link = decodeURIComponent(location.hash.slice(1));
const KEPT = "graphbus-links"; // by link the key that it was exchanged for
let key = held()[link] || link;
const main = document.getElementById("main");
const state = document.getElementById("state");
let shown = "";
const given = new Set(); // what was answered: a look that began before the answer still shows the question

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") node.addEventListener("click", value);
    else if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

function held() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) || "{}");
  } catch {
    return {}; // this browser keeps nothing: the open page has its key
  }
}

function hold(own) {
  key = own;
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...held(), [link]: own }));
  } catch {
    // as above
  }
}

async function call(path, body) {
  const response = await fetch(path, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${key}`, ...(body ? { "Content-Type": "application/json" } : {}) },
    body: body ? JSON.stringify(body) : undefined,
  });
  const told = await response.json();
  if (!response.ok) throw Object.assign(new Error(told.error.message), { code: told.error.code });
  return told;
}

function choices(question) {
  return Object.entries(question.answers || {});
}

function field(name, label, value, rows = 2) {
  const at = el("textarea", { rows, id: `field-${name}` });
  at.value = value || "";
  return [at, el("p", {}, el("label", { for: `field-${name}` }, label), at)];
}

const PARTS = [["priority", "What do you advocate for?"], ["rationale", "Why does it matter?"],
  ["red_line", "What can you not compromise on?"], ["willing_to_trade", "What can you give up?"]];

function position(question) {
  const made = PARTS.map(([name, label]) => [name, ...field(name, label, (question.given || {})[name])]);
  return [made.map(([, , row]) => row), () => Object.fromEntries(made.map(([name, at]) => [name, at.value]))];
}

// What the table heard so far: public words alone.
function heard(question) {
  const said = (question.said || []).map((one) => {
    const terms = Object.entries(one.terms || {}).map(([k, v]) => `${k}: ${v}`).join(", ");
    const words = [one.priority, one.offer && `offers ${one.offer}`, one.want && `wants ${one.want}`, one.text, one.reason, terms];
    return el("li", {}, `${one.by || one.advocate || "engine"} (${one.fact.replaceAll("_", " ")}) ${words.filter(Boolean).join("; ")}`);
  });
  return said.length ? [el("details", {}, el("summary", {}, "What was said"), el("ol", {}, ...said))] : [];
}

function turn(question) {
  const rows = Object.entries(question.terms || {}).map(([k, v]) => el("li", {}, `${k}: ${v}`));
  const table = rows.length ? [el("p", {}, `On the table, by ${question.by}:`), el("ul", {}, ...rows),
    ...Object.entries(question.objections).map(([who, why]) => el("p", {}, `${who} objects: ${why}`))]
    : [el("p", {}, "Nothing is proposed yet.")];
  const ways = [["propose", "I propose", question.may_speak], ["discuss", "I say something", question.may_speak],
    ["check", `I ask everyone for consent (${question.checks_left} checks are left)`, question.may_check], ["pass", "I pass", true]];
  const radios = ways.filter(([, , may]) => may).map(([move, label]) => {
    const radio = el("input", { type: "radio", name: "move", value: move, id: `move-${move}` });
    return [radio, el("p", {}, radio, el("label", { for: `move-${move}` }, ` ${label}`))];
  });
  const chosen = Object.entries(question.issues || {}).map(([name, issue], n) => {
    const at = el("select", { id: `issue-${n}` }, ...issue.options.map((o) => el("option", { value: o }, o)));
    at.value = (question.terms || {})[name] || issue.options[0];
    return [name, at, el("p", {}, el("label", { for: `issue-${n}` }, `${name} `), at)];
  });
  const texts = [["offer", "I offer"], ["want", "I want"], ["rationale", "Because"], ["text", "What I say"]]
    .map(([name, label]) => [name, ...field(name, label, "", 1)]);
  const answer = () => {
    const move = (radios.map(([r]) => r).find((r) => r.checked) || { value: "" }).value;
    const words = Object.fromEntries(texts.map(([name, at]) => [name, at.value.trim()]));
    const terms = Object.fromEntries(chosen.map(([name, at]) => [name, at.value]));
    if (move === "propose") {
      const { text, ...rest } = words;
      return { move, ...rest, ...(chosen.length ? { terms } : {}) };
    }
    return move === "discuss" ? { move, text: words.text } : { move };
  };
  return [[...heard(question), ...table, ...radios.map(([, row]) => row), ...chosen.map(([, , row]) => row),
    ...texts.map(([, , row]) => row)], answer];
}

// For each kind of question: the fields, and the answer that they come to.
function form(question) {
  if (question.kind === "red_lines") {
    const text = el("textarea", { rows: 4, "aria-label": "One sentence a line" });
    return [[el("p", {}, "One sentence a line. Leave it empty if there is nothing."), text],
      () => ({ lines: text.value.split("\n").map((l) => l.trim()).filter(Boolean) })];
  }
  if (question.kind === "minimum") {
    const share = el("input", { type: "number", min: 0, max: 100, value: 0, "aria-label": "0 to 100" });
    return [[share], () => ({ share: Number(share.value) })];
  }
  if (question.kind === "consent") {
    const rows = Object.entries(question.terms || {}).map(([k, v]) => el("li", {}, `${k}: ${v}`));
    const crossed = (question.red_lines_crossed || []).map((l) => el("p", {}, `This crosses your own red line: ${l}.`));
    const reason = el("input", { "aria-label": "Why not", placeholder: "Why not" });
    const yes = el("input", { type: "radio", name: "vote", value: "consent", id: "yes" });
    const no = el("input", { type: "radio", name: "vote", value: "object", id: "no" });
    const aside = el("input", { type: "radio", name: "vote", value: "stand_aside", id: "aside" });
    const may = question.stand_aside ? [el("p", {}, aside, el("label", { for: "aside" },
      " I stand aside: I do not support it, and I do not stand in its way"))] : [];
    const fields = [el("p", {}, `${question.by === "mediator" || !question.by ? "The mediator" : question.by} proposes:`),
      el("ul", {}, ...rows), ...crossed,
      el("p", {}, yes, el("label", { for: "yes" }, " I consent")), ...may,
      el("p", {}, no, el("label", { for: "no" }, " I object")), el("p", {}, reason)];
    return [fields, () => (yes.checked ? { answer: "consent" }
      : { answer: no.checked ? "object" : aside.checked ? "stand_aside" : "", reason: reason.value })];
  }
  if (question.kind === "position") return position(question);
  if (question.kind === "turn") return turn(question);
  if (question.form.includes("grades")) {
    const inputs = choices(question).map(([n, text]) => {
      const grade = el("input", { type: "number", min: 0, max: 10, id: `grade-${n}` });
      return [grade, el("p", {}, grade, el("label", { for: `grade-${n}` }, ` ${text}`))];
    });
    return [inputs.map(([, row]) => row), () => ({
      grades: inputs.map(([grade]) => (grade.value === "" ? null : Number(grade.value))) })];
  }
  const radios = choices(question).map(([n, text]) => {
    const radio = el("input", { type: "radio", name: "choice", value: n, id: `choice-${n}` });
    return [radio, el("p", {}, radio, el("label", { for: `choice-${n}` }, ` ${text}`))];
  });
  return [radios.map(([, row]) => row), () => ({
    choice: Number((radios.map(([r]) => r).find((r) => r.checked) || { value: 0 }).value) })];
}

function draw(told) {
  const question = told.questions[0];
  document.title = question ? `A question for ${told.seat}` : told.seat;
  state.textContent = `You are ${told.seat}.`;
  if (question) {
    const [fields, answer] = form(question);
    const why = el("p", { role: "alert" }, question.refused.length ? `That could not be taken: ${question.refused.at(-1)}` : "");
    const send = el("button", { type: "button", onclick: async () => {
      send.disabled = true;
      try {
        await call("/seats/answer", { question: question.id, answer: answer() });
        given.add(question.id);
        shown = "";
        main.replaceChildren(el("p", {}, "Thank you. Waiting for the others …"));
      } catch (error) {
        why.textContent = error.message;
        send.disabled = false;
      }
    } }, "Answer");
    const heads = { consent: "Do you agree to this deal?", position: "State your position", turn: "It is your turn" };
    const text = el("h2", {}, heads[question.kind] || question.text || "");
    main.replaceChildren(el("section", { "data-question": question.id },
      el("p", {}, question.topic || ""), text, ...fields, why, send));
    return;
  }
  if (told.decision) {
    const rows = Object.entries(told.decision.terms || {}).map(([k, v]) => el("li", {}, `${k}: ${v}`));
    main.replaceChildren(el("section", { "data-decision": told.decision.status },
      el("h2", {}, told.decision.status === "DONE" ? "Decided" : "No decision"),
      el("p", {}, told.decision.reason), el("ul", {}, ...rows),
      ...(told.decision.stood_aside.length ? [el("p", {}, `Stood aside: ${told.decision.stood_aside.join(", ")}.`)] : [])));
    if (told.decision.picture) picture();
    return;
  }
  main.replaceChildren(el("p", {}, "Nothing to answer now. Waiting for the others; this page goes on by itself."));
}

// The picture, and a link that keeps it as a file. It is fetched with the key, which an address must not carry.
async function picture() {
  const response = await fetch("/seats/picture", { headers: { Authorization: `Bearer ${key}` } });
  if (!response.ok) return;
  const address = URL.createObjectURL(await response.blob());
  const alt = "Each advocate's satisfaction over the proposals, and the efficient outcomes with the agreement";
  main.append(el("figure", {}, el("img", { src: address, alt, width: "100%" }),
    el("figcaption", {}, el("a", { href: address, download: "decision.picture.svg" }, "Keep the picture (SVG)"))));
}

const shutOut = (error) => /^seat_/.test(error.code || "");

// Why this link opens nothing any more, and what can be done: a link that was sent is not yet whoever has it.
function refuse(error) {
  state.textContent = "You cannot go on here.";
  const why = el("p", { role: "alert" }, error.message);
  const told = el("p", { role: "status" });
  const say = el("button", { type: "button", class: "primary", onclick: async () => {
    say.disabled = true;
    try {
      key = link;
      await call("/seats/disputes", {});
      told.textContent = "The table was told. Open the new link when it comes.";
      say.remove();
    } catch (failed) {
      told.textContent = failed.message;
      say.disabled = false;
    }
  } }, "It was not me: tell the table");
  main.replaceChildren(el("section", { "data-refused": error.code }, why, ...(error.code === "seat_taken" ? [say] : []), told));
}

const GRAVE = ["renewed", "disputed", "claimed", "taken_back"];
const warning = el("p", { class: "strip warn", role: "status", hidden: true });
main.before(warning);

// Somebody else may sit in a seat of this table: everybody there is told. And a person may go on elsewhere.
function warn(told) {
  const last = told.story.filter((one, at) => GRAVE.includes(one.news) && !told.story.slice(at).some((later) => later.news === "settled" && later.name === one.name)).at(-1);
  warning.hidden = !last;
  warning.textContent = last ? last.says : "";
}

const elsewhere = el("p", { class: "row" }, el("button", { type: "button", onclick: async () => {
  const made = await call("/seats/links", {});
  const address = `${location.origin}/seat#${made.key}`;
  elsewhere.replaceChildren("Open this on the other device. This one goes on until then, and ends with it. ",
    el("input", { readonly: true, "aria-label": "Link for your other device", value: address }));
} }, "Go on with another device …"));

async function look() {
  try {
    let told = await call("/seats/me");
    if (!told.seated) {
      hold((await call("/seats/sessions", {})).key);
      told = await call("/seats/me");
    }
    told.questions = told.questions.filter((q) => !given.has(q.id));
    warn(told);
    const now = JSON.stringify([told.questions[0], told.decision]);
    if (now !== shown) {
      shown = now;
      draw(told);
    }
    if (!elsewhere.isConnected) main.after(elsewhere);
  } catch (error) {
    const own = held()[link];
    if (own && own !== key) key = own; // another tab of this browser sat down
    else if (shutOut(error)) return refuse(error);
    else state.textContent = error.message;
  }
  setTimeout(look, 700);
}

look();
