// The story that `graphbus demo --ui` opens: the page in a minute, on the program that is there. Each step looks whether
// it was done; nothing is played from a script.
import { useEffect, useState } from "preact/hooks";
import { Act } from "./kit";
import { misfitsOf } from "./misfit";
import { go, state, useStore, watch } from "./store";

const KEY = "graphbus-story";

interface Step {
  says: string;
  done: () => boolean;
}

const isWrong = () => misfitsOf(state.picture).length;
let first = -1; // how many links did not fit when the story began

const STEPS: Step[] = [
  { says: "Three people wrote these services. Two links do not fit. Click a dashed chip: it is a payload that may be sent and is not accepted.", done: () => state.route.kind === "link" },
  { says: "The payload ran into the field that rejects it. Pick a way to mend it: what it would change is tried at once, on a copy. Then propose it.", done: () => Boolean(state.expecting) || state.route.kind === "question" },
  { says: "The other services weigh the change. When they agree you are asked. Read who agreed and what it does, and approve.", done: () => first > 0 && isWrong() < first },
  { says: "It is in the source now. Open Negotiations, then the newest: the time axis below shows who thought when. Drag it back.", done: () => state.route.kind === "negotiation" && state.route.query.has("at") },
  { says: "The picture above was as it was then. Under Runtime, start the program. No model is anywhere near it.", done: () => Boolean(state.runtime?.is_running) },
  { says: "That is the page. Press Ctrl K to find everything else; Build lets the services mend the rest by themselves.", done: () => false },
];

export function Story() {
  const { route } = useStore();
  const [, draw] = useState(0);
  useEffect(() => watch(() => draw((n) => n + 1)), []); // a step is done by anything that changes
  const at = Number(sessionStorage.getItem(KEY) ?? -1);
  useEffect(() => {
    if (route.kind !== "story") return;
    sessionStorage.setItem(KEY, "0");
    go("");
  }, [route.kind]);
  useEffect(() => {
    if (first < 0 && state.picture) first = isWrong();
    if (at >= 0 && STEPS[at]?.done()) step(at + 1);
  });
  const step = (to: number) => {
    if (to < 0 || to >= STEPS.length) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, String(to));
    draw((n) => n + 1);
  };
  if (at < 0 || !STEPS[at]) return null;
  return (
    <section class="story" aria-label="The page in a minute">
      <p role="status"><strong>{at + 1} of {STEPS.length}</strong> {STEPS[at]!.says}</p>
      <p class="row"><Act do={() => step(at + 1)}>{at + 1 < STEPS.length ? "Next" : "Done"}</Act><Act do={() => step(-1)}>End the story</Act></p>
    </section>
  );
}
