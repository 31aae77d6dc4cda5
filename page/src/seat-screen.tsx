// What a person behind a seat link sees: who I am here, what I am asked, and how the table stands. Nothing else.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { TableTold } from "../../clients/typescript/graphbus";
import { timeOf } from "./clock";
import { Act, T, useLoaded } from "./kit";
import { Inbox } from "./panels/inbox";
import { ConsentPanel, DocumentPanel } from "./panels/talks";
import { TeamPanel } from "./panels/team";
import { theme } from "./top";
import { GRAVE, Handover, linkOf, Shown, Warning, wayBack } from "./seats";
import { api, enter, useStore } from "./store";

const TABLES: Record<string, string> = { build: "in a build", consent: "in a decision by consent", document: "at a document", team: "in a team of coding agents" };

export function SeatTop() {
  const { me, live, lost, why } = useStore();
  const [kind, where] = (me?.table ?? "").split("/");
  const back = wayBack();
  return (
    <header>
      <h1>Graph<span>Bus</span></h1>
      {me?.name && !why ? <p class="runs"><span>You are <strong><T>{me.called ?? me.name}</T></strong></span><span class="soft">{TABLES[kind ?? ""] ?? <T>{where}</T>}</span></p> : null}
      <p id="state" class={lost ? "bad" : ""} role="status" aria-live="polite">{live}</p>
      {back ? <button type="button" onClick={back}>Back to the operator's view</button> : null}
      <button type="button" onClick={theme}>Light or dark</button>
    </header>
  );
}

export function SeatScreen() {
  const { me, questions, loaded, facts, why, taken } = useStore();
  const [kind = "", where = ""] = (me?.table ?? "").split("/");
  const [over, end] = useState(false);
  const table = useLoaded(async () => (me?.table && !why ? api.getTable({}) : null), [me?.table, why], [facts]).value;
  if (why) return <Alone><h2>{taken ? "Somebody sits there already" : "You cannot go on here"}</h2><p role="alert"><T>{why}</T></p>{taken ? <Dispute name="" /> : null}</Alone>;
  if (me?.role === "invited") return <Invited table={table} />;
  if (!loaded) return <Alone><p class="soft">Looking what you are asked …</p></Alone>;
  const above = <>{over ? null : <Handover table={table} me={me?.name ?? ""} />}<Warning table={table} /></>;
  if (questions.length && kind !== "document") {
    return <>{above}<main class="deciding alone"><aside id="inspector" tabIndex={-1} aria-label="Your question"><Inbox only={questions[0]!.id} /></aside></main></>;
  }
  return (
    <>{above}<Alone>
      {kind === "document" || over ? null : <p class="soft" role="status">Nothing to answer now. This page goes on by itself when you are asked.</p>}
      {kind === "consent" ? <ConsentPanel id={where} ended={() => end(true)} /> : kind === "document" ? <DocumentPanel name={where} ended={() => end(true)} /> : kind === "team" ? <TeamPanel id={where} /> : null}
      <Lines table={table} />
      <Elsewhere />
    </Alone></>
  );
}

/** Whoever opened the invitation says who they are; a name that has sat down is not offered. */
function Invited({ table }: { table: TableTold | null }) {
  if (!table) return <Alone><p class="soft">Opening the invitation …</p></Alone>;
  const free = table.seats.filter((one) => one.free);
  return (
    <Alone>
      <h2>{free.length ? "Who are you?" : "Everybody has sat down"}</h2>
      {table.topic ? <p>You are invited to: <strong><T>{table.topic}</T></strong></p> : null}
      <p class="soft">{free.length ? "Choose your own name. From then on it is yours alone, in this browser." : "Each name was taken. If one of them is yours, say so."}</p>
      <ul class="list names">
        {table.seats.map((one) => <li>{one.free ? <Act class="primary" do={() => enter(one.name)}>I am <T>{one.called}</T></Act> : <span class="soft row"><T>{one.called}</T> has sat down <Dispute name={one.name} /></span>}</li>)}
      </ul>
    </Alone>
  );
}

/** Whoever has a link that somebody else opened first says so; the new link comes the way the first one came. */
function Dispute({ name }: { name: string }) {
  const [said, note] = useState(false);
  if (said) return <span class="wait" role="status">The table was told, and whoever opened it can make a new link for you with one press. Open that when it comes.</span>;
  return <Act class={name ? "" : "primary"} do={async () => { await api.disputeSeat({ name }); note(true); }}>{name ? "That was not me: tell the table" : "It was not me: tell the table"}</Act>;
}

/** The table's story of its seats: who sat down, who went on elsewhere, whose link was made anew. */
export function Lines({ table }: { table: TableTold | null }) {
  if (!table?.story.length) return null;
  return <details><summary>Who sat down when</summary><ul class="list">{table.story.map((one) => <li class={GRAVE.includes(one.news) ? "warn" : ""}><small class="soft inline">{timeOf(one.at)}</small> <T>{one.says}</T></li>)}</ul></details>;
}

/** Go on with this seat in another browser. */
function Elsewhere() {
  const [link, show] = useState("");
  if (link) return <Shown link={link} says="Open this on the other device. This one goes on until then, and ends with it." label="Link for your other device" />;
  return <p class="row"><Act do={async () => show(linkOf((await api.moveSeat()).key))}>Go on with another device …</Act></p>;
}

const Alone = ({ children }: { children: ComponentChildren }) => (
  <main class="alone"><aside id="inspector" class="reading" tabIndex={-1} aria-label="Your seat">{children}</aside></main>
);
