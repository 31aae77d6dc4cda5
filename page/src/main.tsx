// One screen: picture in the centre, inspector at its right, time axis below, what runs above. Every state has an address.
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Axis } from "./axis";
import { Says, T } from "./kit";
import { FieldPanel } from "./panels/field";
import { Home } from "./panels/home";
import { Inbox } from "./panels/inbox";
import { LinkPanel } from "./panels/link";
import { NegotiationPanel, Negotiations, ProposalPanel } from "./panels/negotiation";
import { NodePanel } from "./panels/node";
import { PastPanel } from "./panels/past";
import { ProjectPanel } from "./panels/project";
import { EventPanel, RuntimePanel } from "./panels/runtime";
import { Start } from "./panels/start";
import { ConsentPanel, DocumentPanel } from "./panels/talks";
import { TeamPanel } from "./panels/team";
import { PictureView } from "./picture";
import { SeatScreen, SeatTop } from "./seat-screen";
import { OwnSeats } from "./seats";
import { Story } from "./story";
import { atOf, begin, dropLink, join, parsed, set, takeToken, thenOf, token, useStore } from "./store";
import { find, Palette, Top } from "./top";

function Panel() {
  const { route, refused } = useStore();
  const { kind, id, rest } = route;
  if (!token()) {
    return (
      <>
        <OwnSeats />
        <h2>{kind === "at" ? "This is somebody's own place" : "The token is missing"}</h2>
        {kind === "at" ? <p>Here sits <strong><T>{rest[1] ?? ""}</T></strong>, in another browser. If that is you, open the link that was sent to you; whoever began this can make a new one.</p> : null}
        <p>{kind === "at" ? "If you began it: open" : "Open"} the whole address that <code>graphbus serve</code> printed; it ends in #token=… (with GRAPHBUS_TOKEN set, put that there).</p>
      </>
    );
  }
  if (refused) return <><h2>The token was refused</h2><p>Open the address that was printed when the server was started last.</p></>;
  if (["link", "node", "field"].includes(kind) && thenOf(route)) return <PastPanel />;
  switch (kind) {
    case "link":
      return <LinkPanel id={id} />;
    case "node":
      return <NodePanel name={id} />;
    case "field":
      return <FieldPanel node={id} where={rest[1] ?? ""} side={rest[2] ?? ""} field={rest[3] ?? ""} />;
    case "inbox":
      return <Inbox />;
    case "question":
      return <Inbox only={rest.join("/")} />;
    case "negotiations":
      return <Negotiations />;
    case "negotiation":
      return <NegotiationPanel id={id} at={atOf(route)} />;
    case "proposal":
      return <ProposalPanel negotiation={id} id={rest[1] ?? ""} />;
    case "runtime":
      return <RuntimePanel />;
    case "event":
      return <EventPanel id={id} />;
    case "consent":
      return <ConsentPanel id={id} />;
    case "document":
      return <DocumentPanel name={id} />;
    case "team":
      return <TeamPanel id={id} />;
    case "project":
      return <ProjectPanel />;
    case "start":
      return <Start />;
    default:
      return <Home />;
  }
}

const CONNECTING = "connecting …";
const DECIDING = ["inbox", "question"]; // the whole width; the graph is a thumbnail
const READING = ["link", "consent", "document", "proposal", "team"]; // more room for words than for the graph

function Screen() {
  const { me, why, live } = useStore();
  if (token() && !me && live === CONNECTING) return null; // a seat asks nothing that is the operator's: first who is here
  if (why || me?.role === "seat" || me?.role === "invited") return <><SeatTop /><SeatScreen /><Toast /></>;
  return <Operator />;
}

function Toast() {
  const { toast, went } = useStore();
  return <div id="toast" class={went ? "went" : ""} role="alert" aria-live="assertive">{toast ? <Says>{toast}</Says> : null}</div>;
}

function Operator() {
  const { route, refused, questions } = useStore();
  const inspector = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) inspector.current?.scrollTo(0, 0);
    first.current = false;
  }, [route.kind, route.id]);
  return (
    <>
      <a class="skip" href="#inspector" onClick={(e) => { e.preventDefault(); inspector.current?.focus(); }}>Skip to the inspector</a>
      <Top />
      <main class={DECIDING.includes(route.kind) && questions.length ? "deciding" : READING.includes(route.kind) ? "reads" : route.kind === "start" ? "begins" : ""}>
        {token() && !refused ? <PictureView /> : null}
        <aside id="inspector" ref={inspector} tabIndex={-1} aria-label="Inspector">
          {token() && !refused ? <Story /> : null}
          {route.kind ? <p class="back"><a href="#/">← The whole project</a></p> : null}
          <Panel key={`${route.kind} ${route.rest.join("/")} ${route.query.get("of") ?? ""}`} />
        </aside>
      </main>
      {token() && !refused ? <Axis /> : null}
      <Palette />
      <Toast />
    </>
  );
}

const theme = localStorage.getItem("graphbus-theme");
if (theme) document.documentElement.dataset.theme = theme;
takeToken();
if (!token()) await join();
set({ route: parsed(), live: token() ? CONNECTING : "no token" });
addEventListener("hashchange", () => {
  if (takeToken() || dropLink()) return location.reload(); // the right address, pasted into a tab that had none or an old one
  set({ route: parsed() });
});
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    find();
  }
});
const place = document.getElementById("page")!;
place.replaceChildren(); // what stood there while it opened
render(<Screen />, place);
if (token()) void begin();
