// The one screen to decide on: above what is asked and what it does, in the centre what is decided, beside it who has
// said what, and the answer at the bottom, always in sight.
import type { ComponentChildren } from "preact";
import type { LeftLink, Question } from "../../clients/typescript/graphbus";
import { Names, Pre, T } from "./kit";
import { mendedRows } from "./mended";
import { useStore } from "./store";

type About = Record<string, any>;

interface Props {
  question: Question;
  asks: string;
  title: ComponentChildren;
  above?: ComponentChildren;
  centre: ComponentChildren;
  beside: ComponentChildren;
  children: ComponentChildren; // the answer
  whole?: boolean; // the answer is all that there is to see: a ballot
}

/** The operator's own chairs: who approves, and who says what is meant. */
export const OPERATOR = ["human", "decider"];

export function Decide({ question, asks, title, above, centre, beside, children, whole }: Props) {
  const { me } = useStore();
  return (
    <article class={`decide question ${whole ? "whole" : ""}`} data-question={question.id} aria-label={`${question.to} is asked`}>
      <header class="lead">
        {me?.role === "seat" && question.id.startsWith("consent/") ? null : <p class="who">{me?.role === "seat" ? asks.replace(/^./, (one) => one.toUpperCase()) : <>{OPERATOR.includes(question.to) ? <strong>You are asked</strong> : <><strong><T>{question.to}</T></strong> is asked</>}: {asks}</>}</p>}
        <h3>{title}</h3>
        {question.refused.length ? <p class="bad" role="alert">The last answer was refused: <T>{question.refused.at(-1)}</T></p> : null}
        {above}
      </header>
      {whole ? null : <div class="centre" tabIndex={0} role="region" aria-label="What is decided">{centre}</div>}
      {whole ? null : <div class="beside" tabIndex={0} role="region" aria-label="Who has said what">{beside}<StillAsked question={question} /></div>}
      <div class="answer">{children}</div>
    </article>
  );
}

/** The one account of what a change does: what it mends and breaks, with a payload that says so. */
export function Impact({ computed }: { computed: About | undefined }) {
  const { picture } = useStore();
  if (!computed) return null;
  const [fixes, breaks] = [(computed.fixes ?? []) as string[], (computed.breaks ?? []) as string[]];
  const left = (computed.left ?? []) as LeftLink[];
  const payload = picture?.links.find((one) => fixes.includes(one.id) && one.counterexample !== null && one.counterexample !== undefined);
  return (
    <div class="impact">
      <p>{mendedRows(fixes, left).map(({ says, look, what }) => <span class={look || "soft"}><b>{says}</b> {what}</span>)} <span class={breaks.length ? "bad" : "soft"}><b>Breaks</b> <Names names={breaks} none="no link" /></span></p>
      {computed.unsent?.length ? <p class="warn"><b>Loses</b> <T>{computed.unsent.join(" ")}</T></p> : null}
      {computed.never_sent?.length ? <p class="soft"><T>{computed.never_sent.join(" ")}</T></p> : null}
      {payload ? <details><summary>Sent today, and not accepted</summary><Pre value={payload.counterexample} label="Payload" /></details> : null}
    </div>
  );
}

export const Changes = ({ computed }: { computed: About | undefined }) =>
  computed?.changes?.length ? (
    <ul class="changes">{(computed.changes as About[]).map((one) => <li class={one.breaking ? "warn" : ""}><T>{`${one.symbol} ${one.side}: ${one.message}`}</T>{!one.breaking ? "" : computed.breaks?.length ? " (breaking)" : " (breaking for whoever calls it elsewhere; no link here breaks)"}</li>)}</ul>
  ) : null;

/** Who said what of a change. `isOpen`: it waits for the answers of those who are asked. */
export function Votes({ votes, isOpen = false }: { votes: About[]; isOpen?: boolean }) {
  if (!votes.length) return <p class="soft">{isOpen ? "Nobody has answered yet." : "Nobody had to be asked."}</p>;
  return (
    <ul class="votes">
      {votes.map((one) => (
        <li class={String(one.decision).startsWith("accept") ? "good" : one.decision === "reject" ? "bad" : "warn"}>
          <strong><T>{one.agent}</T></strong>: <T>{String(one.decision).replaceAll("_", " ")}</T>
          {one.reasoning ? <small> <T>{one.reasoning}</T></small> : null}
        </li>
      ))}
    </ul>
  );
}

/** The table at which a question is asked; as the server names it. */
const tableOf = (id: string) => (/^(consent|document|team)\/[^/]+/.exec(id) ?? ["build"])[0];

function StillAsked({ question }: { question: Question }) {
  const { questions, thinking } = useStore();
  const table = tableOf(question.id);
  const others = questions.filter((one) => one.id !== question.id && tableOf(one.id) === table && one.to !== question.to).map((one) => one.to);
  const names = [...new Set([...others, ...thinking])].filter((one) => one !== question.to);
  return names.length ? <p class="wait">Still asked: <Names names={names} none="nobody" /></p> : null;
}
