// What a person behind a seat link sees: who I am here, what I am asked, and how the table stands. Nothing else.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { T } from "./kit";
import { Inbox } from "./panels/inbox";
import { ConsentPanel, DocumentPanel } from "./panels/talks";
import { TeamPanel } from "./panels/team";
import { theme } from "./top";
import { Handover, wayBack } from "./seats";
import { useStore } from "./store";

const TABLES: Record<string, string> = { build: "in a build", consent: "in a decision by consent", document: "at a document", team: "in a team of coding agents" };

export function SeatTop() {
  const { me, live } = useStore();
  const [kind, where] = (me?.table ?? "").split("/");
  const back = wayBack();
  return (
    <header>
      <h1>Graph<span>Bus</span></h1>
      <p class="runs"><span>You are <strong><T>{me?.name}</T></strong></span><span class="soft">{TABLES[kind ?? ""] ?? <T>{where}</T>}</span></p>
      <p id="state" role="status" aria-live="polite">{live}</p>
      {back ? <button type="button" onClick={back}>Back to the operator's view</button> : null}
      <button type="button" onClick={theme}>Light or dark</button>
    </header>
  );
}

export function SeatScreen() {
  const { me, questions, loaded, refused } = useStore();
  const [kind = "", where = ""] = (me?.table ?? "").split("/");
  const [over, end] = useState(false);
  if (refused) return <Alone><h2>This link was ended</h2><p>Ask whoever sent it for a new one.</p></Alone>;
  if (!loaded) return <Alone><p class="soft">Looking what you are asked …</p></Alone>;
  const links = <Handover table={me?.table ?? ""} me={me?.name ?? ""} />;
  if (questions.length && kind !== "document") {
    return <>{links}<main class="deciding alone"><aside id="inspector" tabIndex={-1} aria-label="Your question"><Inbox only={questions[0]!.id} /></aside></main></>;
  }
  return (
    <>{over ? null : links}<Alone>
      {kind === "document" || over ? null : <p class="wait" role="status">Nothing to answer now. This page goes on by itself when you are asked.</p>}
      {kind === "consent" ? <ConsentPanel id={where} ended={() => end(true)} /> : kind === "document" ? <DocumentPanel name={where} /> : kind === "team" ? <TeamPanel id={where} /> : null}
    </Alone></>
  );
}

const Alone = ({ children }: { children: ComponentChildren }) => (
  <main class="alone"><aside id="inspector" class="reading" tabIndex={-1} aria-label="Your seat">{children}</aside></main>
);
