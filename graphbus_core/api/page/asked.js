// What somebody waits for a person to say: approve a commit, answer as an agent, settle an escalation.
import { call, diff, doing, h, json, listen } from "./kit.js";
import { form } from "./form.js";

export async function show(main) {
  const cards = new Map(); // question -> its card, kept as it is: somebody may be typing in it
  const head = h("h2", {});
  const place = h("div", { class: "view" });
  main.replaceChildren(head, place);
  let asking = 0;
  const draw = async () => {
    const mine = ++asking;
    const { questions } = await call("/questions");
    if (mine !== asking) return; // a later look knows more
    head.textContent = questions.length ? `${questions.length} open question${questions.length > 1 ? "s" : ""}` : "Nobody is waiting for you";
    const open = new Map(questions.map((q) => [`${q.id} ${(q.refused || []).length}`, q]));
    for (const [key, card] of cards) {
      if (!open.has(key)) {
        card.remove();
        cards.delete(key);
      }
    }
    for (const [key, question] of open) {
      if (cards.has(key)) continue;
      cards.set(key, card(question, draw));
      place.append(cards.get(key));
    }
  };
  // Listen first: a question that comes while we ask is drawn, too.
  const stop = listen((message) => ["question", "answered", "gap"].includes(message.kind) && draw().catch(() => {}));
  await draw().catch((error) => {
    stop();
    throw error;
  });
  return stop;
}

function card(question, done) {
  let busy = false; // one answer is enough, whichever button is pressed how often
  const answer = async (body) => {
    if (busy) return;
    busy = true;
    try {
      await call(`/questions/${encodeURIComponent(question.id)}/answer`, { method: "POST", body });
    } catch (error) {
      busy = false;
      if (error.status !== 404) throw error; // answered by now, here or elsewhere
    }
    await done();
  };
  const about = question.about || {};
  const proposal = about.proposal;
  const text = h("div", {}, proposal ? h("p", {}, h("strong", {}, proposal.proposer), `: ${proposal.summary || proposal.rationale || ""}`) : null,
    about.unified_diff ? diff(about.unified_diff) : proposal ? h("pre", { tabindex: "0" }, json(proposal.diff)) : null,
    about.instructions ? h("p", {}, about.instructions) : null,
    proposal ? null : h("details", {}, h("summary", {}, "All that was asked"), h("pre", { tabindex: "0" }, json(about))));
  if (question.kind === "approve") {
    const reason = h("input", { placeholder: "why, if not", "aria-label": "Reason" });
    return h("article", { class: "card" }, h("h3", { style: "margin-top:0" }, "May this be committed?"), text,
      h("div", { class: "row" }, h("button", { class: "main", onclick: doing(() => answer({ approve: true, reason: reason.value })) }, "Approve"), h("button", { class: "no", onclick: doing(() => answer({ approve: false, reason: reason.value })) }, "Refuse"), reason));
  }
  const input = form(question.answer_schema || {});
  return h("article", { class: "card" }, h("h3", { style: "margin-top:0" }, `${question.to} is asked: ${question.kind}`), text,
    h("form", { onsubmit: doing(() => answer(input.value())) }, input.element, h("button", { class: "main" }, "Answer")));
}
