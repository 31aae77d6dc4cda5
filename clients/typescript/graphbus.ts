// Generated from the OpenAPI document of GraphBus 0.2.0 by `python -m clients`. Do not edit.

/** A user's own JSON: a payload, a schema, an answer. Nothing else here is of an unknown type. */
export type Json = unknown;
export type JsonObject = { [name: string]: Json };

/** The server refused: problem details (RFC 9457). */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** The acceptance of an offer; without `hash` of the newest. */
export interface Accept {
  issue: string;
  hash?: string;
}

/** A seat. `person`: its questions lie at the desk. */
export interface Advocate {
  name: string;
  priority: string;
  person: boolean;
}

/** The person who approved a commit, and why. */
export interface Approval {
  by: string;
  reason: string;
}

/** What an arbiter ruled. */
export interface Arbitration {
  arbiter: string | null;
  decision: string;
  ruling: string;
}

/** A ballot that was handed in. `lines`: its red lines; `share`: what a deal must be worth, in percent. */
export interface Ballot {
  marks: Mark[];
  lines: string[];
  share: number;
}

/** A build that this server started. `started_at` is in epoch seconds. */
export interface Build {
  id: string;
  state: "running" | "done" | "failed" | "cancelled";
  detail: string;
  started_at: number;
  build_id: string | null;
  committed: number;
  /** What became of its proposals, by outcome. */
  outcomes: { [name: string]: number };
  dry_run: boolean;
}

/** A build on disk. */
export interface BuildRef {
  build_id: string;
  built_at: string;
}

/** A build to start. With `approve`, every commit waits for an answer to a question; with `verify`, for tests. What is left out or null is as `[tool.graphbus]` of the project says, as on the command line. */
export interface BuildRequest {
  enable_agents?: boolean;
  approve?: boolean | null;
  dry_run?: boolean;
  rounds?: number | null;
  intent?: string | null;
  model?: string | null;
  /** Agents that people answer for. */
  humans?: string[];
  /** Go on with the unfinished negotiation, as it was asked for. */
  resume?: boolean;
  /** The project's own tests must pass first. */
  verify?: "auto" | null;
  proposal?: ProposalRequest | null;
}

/** Counters of the bus since its start. `errors`: deliveries that failed for good, each once. */
export interface BusStats {
  messages_published: number;
  messages_delivered: number;
  /** Of those published: refused by a payload check. */
  messages_rejected: number;
  errors: number;
  payload_violations: number;
  dead_letters: number;
  /** Older ones that were let go: the newest 1,000 are kept. */
  dead_letters_lost: number;
  total_subscriptions: number;
}

/** A direct call: `method` with `payload` as keyword arguments. Without `timeout_s` the deadline is 60 s. */
export interface CallRequest {
  method: string;
  payload?: JsonObject;
  timeout_s?: number | null;
}

/** What the method returned. */
export interface CallResult {
  result: Json;
}

/** Two contracts: JSON Schemas, or names as `Node.method`. */
export interface CheckRequest {
  producer: JsonObject | boolean | string;
  consumer: JsonObject | boolean | string;
}

/** A question that is yours for `lease_s` seconds. `lease` is the token to answer, renew or give it back with. */
export interface Claim {
  question: Question | null;
  lease: string | null;
  lease_s: number | null;
}

/** `to`: the agent to speak for; without it, whoever is asked. */
export interface ClaimRequest {
  to?: string | null;
  /** Unanswered by then, it counts as silence. */
  lease_s?: number;
}

/** A card of the picture. Places and sizes are in points at its natural size. `needs`: the components that it calls or waits for, as `@depends_on` says, where no link of data says so already. */
export interface Component {
  name: string;
  module: string;
  source_file: string;
  is_arbiter: boolean;
  methods: MethodRow[];
  publishes: TopicRow[];
  hears: HearRow[];
  needs: string[];
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A consent negotiation. `record`: the certificate of the agreement, or the proof that there is none, with what would change it. `waiting_for`: who is asked now; what they are asked is told to them alone. `course`: how it came to its end, in a sentence or two. `ballot`: what whoever asks has handed in; nobody is told another's. */
export interface Consent {
  id: string;
  topic: string;
  waiting_for: string[];
  state: "running" | "ended" | "stopped" | "failed" | "unfinished";
  status: string;
  detail: string;
  preferences: string;
  turns: number;
  max_turns: number;
  advocates: Advocate[];
  issues: ConsentIssue[];
  said: Said[];
  standing: Standing | null;
  agreement: Term[] | null;
  frontier: FrontierPoint[];
  record: JsonObject | null;
  course: string;
  ballot: Ballot | null;
}

/** What is to be decided, and between what. */
export interface ConsentIssue {
  name: string;
  title: string;
  options: string[];
}

/** Why that deal. `change`: what would make the other deal win that was asked about. */
export interface ConsentReasons {
  words: string;
  change: string | null;
  seats: SeatReason[];
}

/** A decision: `prompt` in words, or `scenario`, the text of a scenario file. `humans` answer at the desk. */
export interface ConsentRequest {
  prompt?: string;
  scenario?: string;
  /** Name and priority of each advocate. */
  advocates?: { [name: string]: string };
  humans?: string[];
  model?: string | null;
  max_turns?: number | null;
  seed?: number | null;
  preferences?: "disclosed" | "private" | "sealed" | null;
  /** Who of its people opens it: the others are told to ask them. */
  opener?: string;
  /** Where it is sealed: each person may answer with one ballot in place of questions. */
  whole_ballots?: boolean;
  /** Where it is disclosed: no person is asked for a position. The first advocate, where it is a person, opens the table with what it proposes, which everybody is asked about at once; with their vote the others may say what matters to them. */
  open_by_proposal?: boolean;
}

/** A declared contract: as JSON Schema, and as it stands in the source. */
export interface Contract {
  json_schema: Json;
  source: string | null;
  description: string | null;
}

/** Data that flows. `state` is `undecided` where inclusion could not be decided; that counts as a no. */
export interface DataLink {
  id: string;
  source: Endpoint;
  target: Endpoint;
  origin: string;
  evidence: string[];
  guessed: boolean;
  state: "fits" | "broken" | "undecided" | "guessed";
  fields: FieldLink[];
  reasons: string[];
  paths: string[];
  /** File and line of its source and of its target. */
  places: string[];
  /** A payload that may be sent and is not accepted. */
  counterexample: Json;
  /** For each reason that a field has, a payload that proves it. */
  proofs: Proof[];
}

/** An event that a handler did not take, and why it failed at the last try. Times are in epoch seconds. */
export interface DeadLetterTold {
  id: string;
  topic: string;
  subscriber: string;
  error: string;
  error_type: string;
  attempts: number;
  /** When it failed first. */
  first_at: number;
  /** When it failed last: later than `first_at` once it was tried again. */
  last_at: number;
  event: EventTold | null;
}

/** With a link nothing is said. With an invitation: `name`, who one is. */
export interface DisputeRequest {
  name?: string;
}

/** Who sits there. `ours`: its turns are taken over this API. `called`: its person's name. */
export interface DocumentAgent {
  name: string;
  called: string;
  participant: string;
  ours: boolean;
}

/** A position, a challenge or an offer. `hash` names it where it can be accepted, and `accepted` who has done so. */
export interface DocumentEntry {
  by: string;
  kind: string;
  number: number;
  text: string;
  turn: number;
  offer: boolean;
  hash: string | null;
  accepted: string[];
}

/** A document that a turn would make, and the hash by which it is accepted with that turn. `left_out`: statements of the sources that it leaves out although nobody decided that; `undecided`: how many it has side by side. */
export interface DocumentForeseen {
  text: string;
  hash: string;
  left_out: string[];
  undecided: number;
}

/** A point, with all that was said on it. */
export interface DocumentIssue {
  stem: string;
  title: string;
  text: string;
  status: "OPEN" | "AGREED" | "ESCALATE";
  decision: string;
  settled: boolean;
  ruled: boolean;
  accepted: string[];
  entries: DocumentEntry[];
}

/** A document negotiation to open, in a directory of its own below the project's build folder. */
export interface DocumentRequest {
  name: string;
  topic?: string;
  sources?: Source[];
  agents?: number;
  max_rounds?: number;
}

/** The document that every seat accepts, by its `hash`: a turn that accepts the issue `final.md`. `altered`: the decisions that do not stand in it word for word. */
export interface DocumentSigning {
  hash: string;
  accepted: string[];
  missing: string[];
  altered: string[];
  fates: StatementFate[];
}

/** A document negotiation, whole. `final` is the document as far as it is; `is_final` says whether it stands. `signing`: what is to be accepted, once every issue is settled. `foreseen`: the document that comes of it when whoever has the turn accepts, on each open issue, the only words that others offer; none where that settles less. */
export interface DocumentTold {
  name: string;
  topic: string;
  phase: string;
  holder: string | null;
  turn: number;
  expected_agents: number;
  max_rounds: number;
  agents: DocumentAgent[];
  sources: SourceTold[];
  issues: DocumentIssue[];
  final: string;
  is_final: boolean;
  ended: string;
  signing: DocumentSigning | null;
  foreseen: DocumentForeseen | null;
}

/** It was done. */
export interface Done {
  ok: boolean;
}

/** How it ended. */
export interface Ended {
  reason: string;
  why: string;
}

/** One end of a link: a method's output or input, or a topic's payload. */
export interface Endpoint {
  node: string;
  method: string | null;
  topic: string | null;
}

/** What one seat said of a proposal. */
export interface Evaluation {
  agent: string;
  decision: string;
  reasoning: string;
  confidence: number | null;
}

/** An event of the bus. `timestamp` is in epoch seconds; `cause` is the event whose handler published it. */
export interface EventTold {
  event_id: string;
  topic: string;
  src: string;
  payload: Json;
  timestamp: number | null;
  cause: string | null;
}

/** A build in a form that other tools read. `file` is a name for it. */
export interface Exported {
  format: string;
  media_type: string;
  file: string;
  text: string;
}

/** One fact of a log. Its `data` is as the log has it. */
export interface Fact {
  seq: number;
  kind: string;
  at: number | null;
  data: JsonObject;
}

/** The gate that said no. */
export interface FailedGate {
  gate: string;
  reason: string;
}

/** A field that feeds another. `source` is null where nobody sends what the consumer requires. */
export interface FieldLink {
  source: string | null;
  target: string;
  fits: boolean;
  /** Why the field does not fit. */
  lacks: ("missing" | "optional" | "type")[];
  /** Fields that are sent, taken by nobody here, and would fit it. */
  alike: string[];
}

/** A file that may be read. `id` is its path. */
export interface File {
  id: string;
  path: string;
  bytes: number;
}

/** What cannot be as it stands there, and what to do. */
export interface FindingTold {
  code: string;
  level: string;
  message: string;
  file: string;
  line: number;
  subject: string;
  fingerprint: string;
  reasons: string[];
  fix: string | null;
}

/** Where a dry run starts: with the sources as they stood after this fact. Without `model` the settings say. */
export interface ForkRequest {
  at: number;
  model?: string | null;
}

/** An efficient outcome by the mean and the least satisfaction, from 0 to 1; one of them may be the agreement. */
export interface FrontierPoint {
  mean: number;
  least: number;
  agreed: boolean;
  terms: Term[];
}

/** How a gate ended: `proved`, `tested`, `not run`, `refused`, with the reason. */
export interface Gate {
  gate: string;
  end: string;
  why: string;
}

/** What the gates came to. */
export interface Gates {
  passed: string[];
  failed: FailedGate | null;
  ends: Gate[];
}

/** Whether the server answers, and what it is. */
export interface Health {
  ok: boolean;
  version: string;
}

/** A topic that is heard, and the handler. */
export interface HearRow {
  topic: string;
  handler: string;
}

/** A project as it is read, without agents. `levels`: how many contracts are how sure. */
export interface Inferred {
  files: number;
  components: InferredComponent[];
  links: InferredLink[];
  findings: FindingTold[];
  levels: { [name: string]: number };
  left_out: string[];
}

/** A class, or a module whose functions are called from another one. */
export interface InferredComponent {
  name: string;
  kind: string;
  file: string;
  line: number;
  methods: InferredMethod[];
}

/** What a method takes. */
export interface InferredInput {
  type: string;
  level: string;
  source: string;
  name: string;
  required: boolean;
}

/** What one gives reaches what the other takes, as the places show. */
export interface InferredLink {
  producer: string;
  consumer: string;
  places: string[];
}

/** A method as its code shows it. */
export interface InferredMethod {
  name: string;
  file: string;
  line: number;
  level: string;
  takes: InferredInput[];
  gives: InferredType;
}

/** A type, how sure it is, and what shows it. */
export interface InferredType {
  type: string;
  level: string;
  source: string;
}

/** An invitation: the server's address with `#seat=` and the key. It is told this once; a new one ends it. */
export interface Invitation {
  table: string;
  key: string;
}

/** The table to invite to. Whoever has the invitation takes one of its seats, in which nobody has sat. */
export interface InvitationRequest {
  table: string;
}

/** An event or a call of a run. `depth`: under how many others it came about. */
export interface JournalRecord {
  id: string;
  kind: "event" | "call";
  what: string;
  src: string;
  payload: Json;
  at: number | null;
  cause: string | null;
  depth: number;
  refused: boolean;
}

/** A journal of a run. `checks`: the payload checks of the run that began it. */
export interface JournalTold {
  id: string;
  bytes: number;
  at: number;
  checks: string;
}

/** A link that does not fit, before a change and after it: `mended` are its fields that fit then, `fields` those that do not, `reasons` what is wrong with it then. */
export interface LeftLink {
  link: string;
  agents: string[];
  mended: string[];
  fields: string[];
  reasons: string[];
}

/** A link that a node is an end of. */
export interface LinkEnd {
  producer: Endpoint;
  consumer: Endpoint;
  origin: string;
}

/** A log held against its checksums, its head and its answers. */
export interface LogVerified {
  id: string;
  facts: number;
  hash: string;
  is_sound: boolean;
  damage: string | null;
  answers: number;
}

/** What a ballot says of an option, in points and in words. */
export interface Mark {
  issue: string;
  option: string;
  points: number;
  says: string;
}

/** Whether the policy allows it; `why` names the rule that does not. */
export interface MayTold {
  allowed: boolean;
  why: string | null;
}

/** Who asks. The operator opened the server; a seat has a `name` at a `table`; who has an invitation has no name yet. `seated`: this key is held by who sat down with it alone; a link that was not opened yet is not. */
export interface Me {
  role: "operator" | "seat" | "invited";
  table: string | null;
  name: string | null;
  seated: boolean;
  /** What whoever sits there is called. */
  called: string | null;
}

/** A method of a node. */
export interface Method {
  name: string;
  input_schema: Contract | null;
  output_schema: Contract | null;
  description: string | null;
  parameters: Parameter[];
  depends_on: string[];
  lineno: number;
  end_lineno: number;
  is_async: boolean;
}

/** A method with its fields. `declared` is false where it has no contract. */
export interface MethodRow {
  name: string;
  inputs: Port[];
  outputs: Port[];
  declared: boolean;
}

/** A link that does not fit, with the payload that proves it. `compatible` is null where it is undecided. */
export interface MismatchTold {
  id: string;
  producer: string;
  consumer: string;
  compatible: boolean | null;
  reasons: string[];
  paths: string[];
  counterexample: Json;
}

/** A negotiation as it stands, or as it stood after fact number `at`. `log` is null for the other two kinds: these are told whole under /consents and /documents. */
export interface Negotiation {
  id: string;
  kind: "proposal" | "consent" | "document";
  state: "running" | "unfinished" | "ended" | "damaged";
  damage: string | null;
  dry_run: boolean;
  events: number;
  started_at: number | null;
  question: string;
  outcome: string;
  at: number;
  log: ProposalLog | null;
}

/** A negotiation in a list. `state` is `running` where this server drives it now. `question`: what it is about, in a line; "" where that is not known. `outcome`: what became of a build's proposals, in words. */
export interface NegotiationShort {
  id: string;
  kind: "proposal" | "consent" | "document";
  state: "running" | "unfinished" | "ended" | "damaged";
  damage: string | null;
  dry_run: boolean;
  events: number;
  started_at: number | null;
  question: string;
  outcome: string;
}

/** A new point. */
export interface NewIssue {
  title: string;
  question?: string;
}

/** A node, whole. */
export interface Node {
  name: string;
  module: string;
  class_name: string;
  source_file: string;
  source_code: string;
  system_prompt: SystemPrompt;
  methods: Method[];
  subscriptions: SubscriptionTold[];
  publications: PublicationTold[];
  depends_on: string[];
  links: LinkEnd[];
}

/** A node in a list. */
export interface NodeShort {
  name: string;
  module: string;
  class_name: string;
  source_file: string;
  is_arbiter: boolean;
  methods: string[];
}

export interface PageBuild {
  items: Build[];
  next: string | null;
}

export interface PageDeadLetterTold {
  items: DeadLetterTold[];
  next: string | null;
}

export interface PageEventTold {
  items: EventTold[];
  next: string | null;
}

export interface PageFact {
  items: Fact[];
  next: string | null;
}

export interface PageFile {
  items: File[];
  next: string | null;
}

export interface PageFindingTold {
  items: FindingTold[];
  next: string | null;
}

export interface PageJournalRecord {
  items: JournalRecord[];
  next: string | null;
}

export interface PageJournalTold {
  items: JournalTold[];
  next: string | null;
}

export interface PageMismatchTold {
  items: MismatchTold[];
  next: string | null;
}

export interface PageNegotiationShort {
  items: NegotiationShort[];
  next: string | null;
}

export interface PageNodeShort {
  items: NodeShort[];
  next: string | null;
}

export interface PageQuestion {
  items: Question[];
  next: string | null;
}

export interface PageSeatTold {
  items: SeatTold[];
  next: string | null;
}

export interface PageSettingTold {
  items: SettingTold[];
  next: string | null;
}

export interface PageSpanTold {
  items: SpanTold[];
  next: string | null;
}

export interface PageTeamShort {
  items: TeamShort[];
  next: string | null;
}

/** A parameter of a method. */
export interface Parameter {
  name: string;
  kind: string;
  annotation: string | null;
  default: string | null;
}

/** The whole project for drawing: cards with ports, and links from field to field. */
export interface Picture {
  components: Component[];
  links: DataLink[];
  mismatches: number;
  order: string[];
}

/** Who may call, publish and hear what in a run. Nodes that no rule is about may do anything. */
export interface PolicyTold {
  file: string | null;
  rules: RuleTold[];
}

/** A field of a contract, with its type in the words of an annotation. `whole`: the type where `type` is cut. */
export interface Port {
  name: string;
  type: string;
  required: boolean;
  whole: string | null;
}

/** What went wrong, and what to do next (RFC 9457, `application/problem+json`). `path` says where in the body. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  path?: string | null;
}

/** One reason why a link does not fit, the field that it is about, and a payload that is refused for it. */
export interface Proof {
  reason: string;
  path: string;
  payload: Json;
}

/** A negotiation of proposals, read back. */
export interface ProposalLog {
  agents: string[];
  arbiters: string[];
  intent: string | null;
  ended: Ended | null;
  rounds_completed: number;
  total_proposals: number;
  committed: number;
  rejected: number;
  deferred: number;
  superseded: number;
  commit_failed: number;
  withdrawn: number;
  dropped: number;
  unheard: number;
  rounds: Round[];
}

/** A change that a person asks for. It is put to the others as `agent`'s; nobody proposes anything beside it. */
export interface ProposalRequest {
  agent: string;
  diff: JsonObject[];
  summary?: string;
  rationale?: string;
}

/** A proposal, from what was said to what became of it. */
export interface ProposalTold {
  id: string;
  proposer: string;
  type: string | null;
  summary: string;
  rationale: string;
  confidence: number | null;
  affected_agents: string[];
  evaluations: Evaluation[];
  outcome: string;
  files_changed: string[];
  diff: JsonObject[];
  decided_by: string;
  why: string;
  gates: Gates | null;
  arbitration: Arbitration | null;
  answers_to: string | null;
  changes: SchemaChange[];
  breaks: string[];
  fixes: string[];
  left: LeftLink[];
  unsent: string[];
  never_sent: string[];
  /** The person whose proposal it is, where an agent tabled it for one. */
  proposed_by: string;
  approved: Approval | null;
  commit_id: string | null;
  committed_at: string | null;
  unified_diff: string;
  undone: TakenBack | null;
  /** Set where proposals of several builds stand together. */
  build_id: string | null;
}

/** The settings that a project may begin with, as a diff of its `pyproject.toml`. */
export interface ProposedSettings {
  file: string;
  written: boolean;
  diff: string;
}

/** A topic that a node publishes. */
export interface PublicationTold {
  topic: string;
  payload: Contract | null;
  method: string | null;
}

/** An event to publish. */
export interface PublishRequest {
  topic: string;
  payload?: JsonObject;
  source?: string;
}

/** The event's id. */
export interface Published {
  event_id: string;
}

/** How many were forgotten. */
export interface Purged {
  purged: number;
}

/** What waits for a person or a program. `about` is all that is known; `answer_schema` what is taken. */
export interface Question {
  id: string;
  to: string;
  kind: string;
  about: JsonObject;
  answer_schema: JsonObject;
  refused: string[];
}

/** Why not, and where. */
export interface Reason {
  kind: string;
  path: string;
  message: string;
}

/** Nodes that are others now. `paused_s`: how long those took nothing in; what came meanwhile waited. */
export interface Reloaded {
  changed: string[];
  added: string[];
  removed: string[];
  /** What was broken and taken all the same. */
  broken_contracts: string[];
  problems: string[];
  paused_s: number;
  running: BuildRef | null;
  newest: BuildRef | null;
  /** Sources that were edited since the newest build: a start or a restart runs them as they were built. */
  edited: string[];
}

/** What to play: everything, or events of these topics. Without `payload_checks` those of the run are taken. */
export interface ReplayRequest {
  topics?: string[];
  payload_checks?: "off" | "warn" | "enforce" | null;
  timeout_s?: number;
}

/** What a replay did. `followed` came about now from what was played, `consequences` did in the recorded run. */
export interface ReplayTold {
  events: number;
  calls: number;
  consequences: number;
  followed: number;
  skipped: number;
  refused: number;
  failed_calls: number;
  errors: number;
  failures: string[];
  /** Deliveries that failed in the recorded run, as far as their dead letters are kept: letters that were retried well or purged are not. */
  failed_then: string[];
  /** Whether as much followed as in the recorded run, and `failed_then` failed. */
  is_same: boolean;
}

/** Whether it was delivered this time. */
export interface Retried {
  delivered: boolean;
}

/** How to deliver it. `payload`: in the place of the letter's own; it must fit the contract of its topic. */
export interface RetryRequest {
  payload?: JsonObject | null;
}

/** A dead letter that was delivered again while this server ran. `changed`: the fields in which its payload then was another than its event's. `at` is in epoch seconds. */
export interface RetryTold {
  event_id: string;
  subscriber: string;
  at: number;
  changed: string[];
  delivered: boolean;
}

/** One round. */
export interface Round {
  round: number;
  proposals: ProposalTold[];
}

/** A rule of the policy. Null: it says nothing about that. */
export interface RuleTold {
  name: string;
  who: string;
  call: string[] | null;
  publish: string[] | null;
  hear: string[] | null;
}

/** How to take the newest build. With `force` also one that breaks a contract. */
export interface RuntimeReload {
  force?: boolean;
}

/** How to start the runtime. */
export interface RuntimeStart {
  payload_checks?: "off" | "warn" | "enforce";
  /** Keep a journal of the run, to be played back later. */
  journal?: boolean;
}

/** State and counters. Where `running` is not `newest`, a restart takes the newer build. */
export interface RuntimeTold {
  is_running: boolean;
  nodes_count: number;
  nodes_active: string[];
  nodes_broken: { [name: string]: string };
  calls: number;
  calls_failed: number;
  message_bus: BusStats | null;
  running: BuildRef | null;
  newest: BuildRef | null;
  /** Sources that were edited since the newest build: a start or a restart runs them as they were built. */
  edited: string[];
  /** What had not returned when the runtime was stopped. */
  unfinished: string[];
}

/** A block of the ledger. */
export interface Said {
  who: string;
  kind: string;
  text: string;
}

/** Who sits there now. `key` is told this once, to whoever sat down; the key before opens nothing any more. */
export interface SatDown {
  table: string;
  name: string;
  key: string;
}

/** One change of a contract, in words. */
export interface SchemaChange {
  symbol: string;
  side: string;
  kind: string;
  path: string;
  breaking: boolean;
  message: string;
}

/** A seat as everybody at its table sees it. `free`: nobody has sat there, so an invitation offers it. */
export interface SeatAtTable {
  name: string;
  called: string;
  seated: boolean;
  free: boolean;
}

/** Of which seat the table was told that somebody else sat down there. */
export interface SeatDisputed {
  table: string;
  name: string;
}

/** The link opens nothing any more; the questions of that seat are the operator's. */
export interface SeatFreed {
  table: string;
  name: string;
}

/** The key of a seat, told this once. Its link is the server's address with `#seat=` and the key. */
export interface SeatKey {
  name: string;
  key: string;
}

/** What became of a seat, and when (seconds since 1970). */
export interface SeatLine {
  name: string;
  news: "sat_down" | "moved" | "renewed" | "disputed" | "claimed" | "settled" | "taken_back";
  says: string;
  at: number;
}

/** A new link: the server's address with `#seat=` and the key. It is told this once; a new one ends it. */
export interface SeatLinkMade {
  table: string;
  name: string;
  key: string;
}

/** Whom to give a link. `table`: `build`, `consent/RUN`, `document/NAME` or `team/NAME`. */
export interface SeatLinkRequest {
  table: string;
  name: string;
  /** It is the seat of whoever opens the table: the others are told to ask them. */
  opener?: boolean;
  /** Its person's name, where a seat may not be written so. */
  called?: string;
}

/** What a seat got and gave. `share`: its gain, of the most that it could gain. */
export interface SeatReason {
  name: string;
  share: number;
  score: number;
  gave: Trade[];
  got: Trade[];
}

/** The name under which to sit. */
export interface SeatRequest {
  agent: string;
}

/** A seat that has a link, and how many questions wait for it. What they ask is told to the seat alone. `seated`: somebody has opened the link and sits there. */
export interface SeatTold {
  id: string;
  table: string;
  name: string;
  called: string;
  seated: boolean;
  waiting: number;
}

/** A setting: its value, where that comes from, and what it does. `stated`: somebody set it. */
export interface SettingTold {
  name: string;
  value: Json;
  source: string;
  stated: boolean;
  does: string;
}

/** With a link nothing is said. With an invitation: `name`, who one is. */
export interface SitDownRequest {
  name?: string;
}

/** A document to reconcile. */
export interface Source {
  name: string;
  text: string;
}

/** A text that comes in later. `agent` brings it, and has a seat there. */
export interface SourceRequest {
  agent: string;
  text: string;
}

/** A document that is to be reconciled. */
export interface SourceTold {
  name: string;
  text: string;
}

/** A call (with an `id` of its own) or one attempt of a handler, and the event or call behind it. `at` is in epoch seconds; `error` is the type of what was raised. */
export interface SpanTold {
  id: string | null;
  kind: "call" | "handler";
  name: string;
  cause: string | null;
  at: number;
  took_ms: number;
  error: string | null;
}

/** The proposal on the table. */
export interface Standing {
  number: number;
  terms: Term[];
  objections: { [name: string]: string };
}

/** What was started. `seats`: the keys of the people of a decision; each answers with its own alone. */
export interface Started {
  id: string;
  seats: SeatKey[];
}

/** What became of one statement of a source. `by`: the issue that decided or dropped it, `final.md` where the document leaves it out; `against`: the places of what it is in conflict with. */
export interface StatementFate {
  place: string;
  fate: "kept" | "decided" | "in conflict" | "dropped";
  by: string;
  against: string[];
  text: string;
}

/** One thing that happened. `seq` counts from 1 without a hole; `at` is in epoch seconds; `data` is by `kind`, as the AsyncAPI document says. */
export interface StreamMessage {
  seq: number;
  kind: string;
  at: number | null;
  data: JsonObject;
}

/** Messages in order, and the number to go on from: `after=STREAM:LAST`. */
export interface StreamPage {
  stream: string;
  messages: StreamMessage[];
  last: number;
}

/** A topic that a node hears. */
export interface SubscriptionTold {
  topic: string;
  handler: string;
}

/** What a node's author wrote of it. */
export interface SystemPrompt {
  text: string;
  role: string | null;
  capabilities: string[];
}

/** Who sits at a table, and what became of its seats, oldest first. */
export interface TableTold {
  table: string;
  topic: string;
  seats: SeatAtTable[];
  story: SeatLine[];
}

/** When it was taken back. */
export interface TakenBack {
  at: string | null;
}

/** What the seat is told, as text, and what it is asked. */
export interface TeamAnswer {
  seat: string;
  status: "active" | "lapsed" | "left";
  text: string;
  asked: TeamOverlap[];
  obstacles: string[];
}

/** What a seat had said, and did not do when it landed; `to`: who counted on it. */
export interface TeamBroken {
  seat: string;
  to: string[];
  promise: string;
}

/** A way to settle an overlap, accepted by its hash. `impossible`: why it cannot be taken any more. */
export interface TeamChoice {
  hash: string;
  text: string;
  impossible: string;
}

/** Whose branch lands. `auto` runs pytest, `none` nothing. */
export interface TeamLandRequest {
  seat: string;
  verify?: "auto" | "none";
}

/** What landed. */
export interface TeamLanded {
  seat: string;
  commit: string;
  changes: string[];
}

/** How a landing ended; `at work`: call again. */
export interface TeamLanding {
  status: string;
  commit: string;
  why: string;
  notes: string[];
}

/** What two seats settle about one symbol. `accepted`: the hash that each of them accepted. */
export interface TeamOverlap {
  id: string;
  seats: string[];
  about: string;
  topic: string;
  text: string;
  status: "open" | "settled" | "closed";
  choices: TeamChoice[];
  accepted: { [name: string]: string };
  settled: string;
  why: string;
}

/** A plan, one change of a symbol a line; it takes the place of the one before. */
export interface TeamPlanRequest {
  seat: string;
  plan: string;
}

/** A team to begin. `onto`: the branch that all land on, the one that is checked out where it is not said. */
export interface TeamRequest {
  tasks?: TeamTask[];
  onto?: string | null;
  lease_s?: number;
}

/** The name of a seat; it gets a branch and a working tree of its own. */
export interface TeamSeatRequest {
  seat: string;
}

/** Who sits there: `active` with claims, `lapsed` without them, or `left`. */
export interface TeamSeatShort {
  seat: string;
  status: "active" | "lapsed" | "left";
}

/** Where the seat works. */
export interface TeamSeatTaken {
  seat: string;
  branch: string;
  worktree: string;
}

/** A seat: what it claims, one change a line, and what stands before its landing. */
export interface TeamSeatTold {
  seat: string;
  status: "active" | "lapsed" | "left";
  branch: string;
  worktree: string;
  note: string;
  claims: string[];
  obstacles: string[];
}

/** Whose branch is brought up to date. */
export interface TeamSeatWork {
  seat: string;
}

/** A team in a list. `open`: questions that are not settled. */
export interface TeamShort {
  id: string;
  base: string;
  seats: TeamSeatShort[];
  open: number;
  landings: number;
}

/** The team of this repository. */
export interface TeamStarted {
  id: string;
}

/** How a sync ended: `text` says it in words. */
export interface TeamSynced {
  seat: string;
  status: string;
  text: string;
  conflicts: string[];
}

/** What is to be done. */
export interface TeamTask {
  name: string;
  text: string;
}

/** A team: who works on what, what overlaps, what landed. */
export interface TeamTold {
  id: string;
  base: string;
  lease_s: number;
  tasks: string[];
  seats: TeamSeatTold[];
  questions: TeamOverlap[];
  landings: TeamLanded[];
  broken: TeamBroken[];
}

/** Whose turn; `everything`: all, and not only what is new. */
export interface TeamTurnRequest {
  seat: string;
  everything?: boolean;
}

/** A whole turn: @plan, @accept, @offer, @tell, @leave. All of it is taken, or nothing. */
export interface TeamWords {
  seat: string;
  say: string;
}

/** What holds on an issue; `issue` is null for a line of words. */
export interface Term {
  issue: string | null;
  says: string;
}

/** A part of a file, of so many `characters` in all. `next`: the offset to go on at. */
export interface Text {
  path: string;
  text: string;
  characters: number;
  next: number | null;
}

/** A topic that is published, with the fields of its payload. */
export interface TopicRow {
  topic: string;
  ports: Port[];
}

/** An event or a call with what led to it and what followed, oldest first, as far as the history goes. */
export interface Trace {
  event_id: string;
  events: EventTold[];
  spans: SpanTold[];
  dead_letters: DeadLetterTold[];
  retries: RetryTold[];
}

/** What an option of an issue is worth to a seat. `liked`: what it would have had instead. */
export interface Trade {
  issue: string;
  option: string;
  points: number;
  liked: string | null;
}

/** What would become of a diff. `asks` are the nodes that must agree, `why` says for each why; `breaks` and `mends` are links, `left` those that it is about and that do not fit afterwards either. `verdict` says it in a line; `open` are the gates that a proposal meets and this trial did not ask. */
export interface Trial {
  passes: boolean;
  verdict: string;
  open: Gate[];
  gate: string | null;
  reason: string;
  gates: Gate[];
  files: string[];
  unified_diff: string;
  mends: string[];
  breaks: string[];
  left: LeftLink[];
  /** What a consumer gets no more, though no link breaks. */
  unsent: string[];
  /** What is no longer required and nobody sent before either: nothing is lost by it. */
  never_sent: string[];
  asks: string[];
  why: { [name: string]: string };
  notes: string[];
}

/** A structured diff: a list of operations (docs/commit.md). `agent`: who proposes it; else the first one's node. `call_methods`: the changed methods are called, as before a commit; false: a verdict at once that leaves it open. `after`: diffs that are agreed on and not in the files yet: it is tried on top of them. */
export interface TryRequest {
  call_methods?: boolean;
  after?: JsonObject[][];
  agent?: string | null;
  diff: JsonObject[];
}

/** A whole turn: all of it is taken, or nothing. `accepts_final`: the hash of `foreseen`; with it the document that this turn makes is accepted at once, and no other one. */
export interface TurnRequest {
  agent: string;
  accepts?: Accept[];
  offers?: Words[];
  positions?: Words[];
  challenges?: Words[];
  escalations?: Words[];
  issues?: NewIssue[];
  accepts_final?: string;
}

/** How it ended: `handed` to the next, or `finished`, where every seat has accepted the document. */
export interface TurnTaken {
  end: string;
  left_out: string[];
}

/** How to take a commit back. `allow_mismatches`: also where a link no longer fits then. */
export interface UndoRequest {
  dry_run?: boolean;
  allow_mismatches?: boolean;
}

/** What became of it. `done` is false after a dry run, and where a gate said no. */
export interface Undone {
  proposal_id: string;
  done: boolean;
  passes: boolean;
  gate: string | null;
  reason: string;
  gates: Gate[];
  files: string[];
  unified_diff: string;
  notes: string[];
}

/** Whether everything the producer may send is taken; null: it could not be decided, `reasons` say why. */
export interface Verdict {
  compatible: boolean | null;
  reasons: Reason[];
  counterexample: Json;
}

/** Every proposal that made a symbol what it is, newest first. `damaged`: logs that cannot be read to their end. */
export interface WhyTold {
  entries: ProposalTold[];
  damaged: NegotiationShort[];
}

/** Words on an issue. */
export interface Words {
  issue: string;
  text: string;
}

export type Query = { [name: string]: string | number | null | undefined };

/** Every call. `address` is where the server is, as `http://127.0.0.1:8420`. */
export class GraphBus {
  private tags = new Map<string, [string, unknown]>();

  constructor(
    readonly address: string,
    readonly token: string,
    readonly parse: (text: string) => unknown = JSON.parse,
  ) {}

  /** What is read is asked for with the tag of what we have: what did not change is not sent again. */
  private async send(method: string, path: string, query: Query = {}, body?: unknown): Promise<unknown> {
    const said = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const url = path + (said.length ? "?" + new URLSearchParams(said.map(([k, v]) => [k, String(v)])) : "");
    const headers: Record<string, string> = { Authorization: `Bearer ${this.token}` };
    const known = method === "GET" ? this.tags.get(url) : undefined;
    if (known) headers["If-None-Match"] = known[0];
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(this.address + "/api/v1" + url, { method, headers, body: text ?? null, cache: "no-store" });
    if (answer.status === 304 && known) return known[1];
    const told = this.parse(await answer.text());
    if (!answer.ok) throw new Refused(told as Problem);
    const tag = answer.headers.get("etag");
    if (method === "GET" && tag) {
      if (this.tags.size > 200) this.tags.clear();
      this.tags.set(url, [tag, told]);
    }
    return told;
  }

  /** Messages as they happen, each frame an array of them; `asyncapi.json` describes them. Give `after` as STREAM:N to
   * miss nothing. The token goes as a subprotocol: a browser sends no header here, and no address may hold it. */
  stream(after?: string): WebSocket {
    const query = new URLSearchParams({ batch: "1", ...(after === undefined ? {} : { after }) });
    const bytes = String.fromCharCode(...new TextEncoder().encode(this.token));
    const token = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const address = (this.address || globalThis.location.origin).replace(/^http/, "ws");
    return new WebSocket(`${address}/api/v1/stream?${query}`, ["graphbus.v1", `graphbus.bearer.${token}`]);
  }

  /** Whether the server answers. */
  async getHealth(): Promise<Health> {
    return (await this.send("GET", `/health`)) as Health;
  }

  /** The whole project for drawing, laid out: cards with ports, and links from field to field. */
  async getPicture(): Promise<Picture> {
    return (await this.send("GET", `/picture`)) as Picture;
  }

  /** Every node, in short. */
  async listNodes(query: { limit?: number; cursor?: string | null } = {}): Promise<PageNodeShort> {
    return (await this.send("GET", `/nodes`, query)) as PageNodeShort;
  }

  /** One node: prompt, contracts, topics, subscriptions, source. */
  async getNode(name: string): Promise<Node> {
    return (await this.send("GET", `/nodes/${encodeURIComponent(name)}`)) as Node;
  }

  /** Every link that does not fit, with the payload that proves it. */
  async listMismatches(query: { limit?: number; cursor?: string | null } = {}): Promise<PageMismatchTold> {
    return (await this.send("GET", `/mismatches`, query)) as PageMismatchTold;
  }

  /** Whether everything that the producer may send is taken by the consumer. */
  async checkContracts(body: CheckRequest | string): Promise<Verdict> {
    return (await this.send("POST", `/contracts/check`, {}, body)) as Verdict;
  }

  /** Every proposal that made `Node`, `Node.method` or `Node.method.field` what it is, newest first. */
  async getWhy(symbol: string): Promise<WhyTold> {
    return (await this.send("GET", `/why/${encodeURIComponent(symbol)}`)) as WhyTold;
  }

  /** What would become of a change: its diff, the gates, the links that break and mend, who must agree and why. Nothing is written, and nobody is asked. */
  async tryChange(body: TryRequest | string): Promise<Trial> {
    return (await this.send("POST", `/try`, {}, body)) as Trial;
  }

  /** Take a committed proposal back: its own change and no other, proved like any commit. */
  async undoProposal(proposal_id: string, body?: UndoRequest | null | string): Promise<Undone> {
    return (await this.send("POST", `/proposals/${encodeURIComponent(proposal_id)}/undo`, {}, body ?? {})) as Undone;
  }

  /** State and counters; which build runs, which is the newest, and which sources were edited since. */
  async getRuntime(): Promise<RuntimeTold> {
    return (await this.send("GET", `/runtime`)) as RuntimeTold;
  }

  /** Start the runtime on the last build. `edited` names the sources that it runs as they were before an edit. */
  async startRuntime(body?: RuntimeStart | null | string): Promise<RuntimeTold> {
    return (await this.send("POST", `/runtime/start`, {}, body ?? {})) as RuntimeTold;
  }

  /** Take the newest build while the program runs: nodes whose code changed are drained and swapped, with their state. Without `force` a build that breaks a contract is refused (409 `contract_changed`), with the proof. */
  async reloadRuntime(body?: RuntimeReload | null | string): Promise<Reloaded> {
    return (await this.send("POST", `/runtime/reload`, {}, body ?? {})) as Reloaded;
  }

  /** Stop the runtime; what is under way may finish within its deadline. */
  async stopRuntime(): Promise<RuntimeTold> {
    return (await this.send("POST", `/runtime/stop`)) as RuntimeTold;
  }

  /** Call a method of a running node. */
  async callNode(name: string, body: CallRequest | string): Promise<CallResult> {
    return (await this.send("POST", `/nodes/${encodeURIComponent(name)}/call`, {}, body)) as CallResult;
  }

  /** Publish an event. */
  async publishEvent(body: PublishRequest | string): Promise<Published> {
    return (await this.send("POST", `/events`, {}, body)) as Published;
  }

  /** Events of the bus, newest first, as many as are kept. */
  async listEvents(query: { limit?: number; cursor?: string | null } = {}): Promise<PageEventTold> {
    return (await this.send("GET", `/events`, query)) as PageEventTold;
  }

  /** Direct calls, newest first, as many as are kept. `/events/{id}/trace` says what followed from one. */
  async listCalls(query: { limit?: number; cursor?: string | null } = {}): Promise<PageSpanTold> {
    return (await this.send("GET", `/calls`, query)) as PageSpanTold;
  }

  /** An event, or a call by its id, with what led to it and what followed from it: calls, events, handlers. */
  async getTrace(event_id: string): Promise<Trace> {
    return (await this.send("GET", `/events/${encodeURIComponent(event_id)}/trace`)) as Trace;
  }

  /** What could not be delivered, and why. */
  async listDeadLetters(query: { limit?: number; cursor?: string | null } = {}): Promise<PageDeadLetterTold> {
    return (await this.send("GET", `/dead-letters`, query)) as PageDeadLetterTold;
  }

  /** Forget them all. */
  async purgeDeadLetters(): Promise<Purged> {
    return (await this.send("DELETE", `/dead-letters`)) as Purged;
  }

  /** Deliver one again, to the handler that failed; with another payload where one is given. */
  async retryDeadLetter(letter_id: string, body?: RetryRequest | null | string): Promise<Retried> {
    return (await this.send("POST", `/dead-letters/${encodeURIComponent(letter_id)}/retry`, {}, body ?? {})) as Retried;
  }

  /** Start a build; progress comes over the stream. `resume` goes on with one that was cut off or cancelled. */
  async startBuild(body?: BuildRequest | null | string): Promise<Build> {
    return (await this.send("POST", `/builds`, {}, body ?? {})) as Build;
  }

  /** Builds of this server, newest first. */
  async listBuilds(query: { limit?: number; cursor?: string | null } = {}): Promise<PageBuild> {
    return (await this.send("GET", `/builds`, query)) as PageBuild;
  }

  /** One build: state, detail, result. */
  async getBuild(build_id: string): Promise<Build> {
    return (await this.send("GET", `/builds/${encodeURIComponent(build_id)}`)) as Build;
  }

  /** Stop a build cleanly; what was committed stays, what was answered is kept. */
  async cancelBuild(build_id: string): Promise<Build> {
    return (await this.send("POST", `/builds/${encodeURIComponent(build_id)}/cancel`)) as Build;
  }

  /** Start a dry run from a fact: the same intent, on the sources as they stood then. Nothing of yours changes. */
  async forkNegotiation(negotiation_id: string, body: ForkRequest | string): Promise<Build> {
    return (await this.send("POST", `/negotiations/${encodeURIComponent(negotiation_id)}/forks`, {}, body)) as Build;
  }

  /** Negotiations of all three kinds, newest first within each. */
  async listNegotiations(query: { limit?: number; cursor?: string | null; kind?: string | null } = {}): Promise<PageNegotiationShort> {
    return (await this.send("GET", `/negotiations`, query)) as PageNegotiationShort;
  }

  /** One negotiation as it stands, or as it stood after fact number `at`. */
  async getNegotiation(negotiation_id: string, query: { at?: number | null } = {}): Promise<Negotiation> {
    return (await this.send("GET", `/negotiations/${encodeURIComponent(negotiation_id)}`, query)) as Negotiation;
  }

  /** The project as a build left it, or as it stood after fact number `at`: the same account as `/picture` gives of the project today, from the build's log alone. */
  async getPastPicture(negotiation_id: string, query: { at?: number | null } = {}): Promise<Picture> {
    return (await this.send("GET", `/negotiations/${encodeURIComponent(negotiation_id)}/picture`, query)) as Picture;
  }

  /** Its facts after number `after`, oldest first; `next` is the number to go on after. */
  async listFacts(negotiation_id: string, query: { after?: number; limit?: number } = {}): Promise<PageFact> {
    return (await this.send("GET", `/negotiations/${encodeURIComponent(negotiation_id)}/facts`, query)) as PageFact;
  }

  /** Whether the log of a build is as it was written: checksums, head, answers. */
  async verifyNegotiation(negotiation_id: string): Promise<LogVerified> {
    return (await this.send("GET", `/negotiations/${encodeURIComponent(negotiation_id)}/verification`)) as LogVerified;
  }

  /** What waits for whoever asks, each with the JSON Schema of its answer: a seat is told its own questions, the operator those that belong to no seat. */
  async listQuestions(query: { limit?: number; cursor?: string | null } = {}): Promise<PageQuestion> {
    return (await this.send("GET", `/questions`, query)) as PageQuestion;
  }

  /** Answer one of your own. The first answer counts; another seat's question is refused (403 `not_your_seat`). */
  async answerQuestion(question_id: string, body: JsonObject | string): Promise<Done> {
    return (await this.send("POST", `/questions/${encodeURIComponent(question_id)}/answer`, {}, body)) as Done;
  }

  /** Begin a decision. Each person of `humans` gets a seat of its own, whose questions are answered with its key alone. */
  async startConsent(body: ConsentRequest | string): Promise<Started> {
    return (await this.send("POST", `/consents`, {}, body)) as Started;
  }

  /** What stands, what was said, the frontier, and the certificate or the proof. Where preferences are not disclosed, a red line that was stated is shown to its owner alone. */
  async getConsent(consent_id: string): Promise<Consent> {
    return (await this.send("GET", `/consents/${encodeURIComponent(consent_id)}`)) as Consent;
  }

  /** Why that deal and no other, how firm the choice is, and with `to_win` what would make another deal win. */
  async getConsentReasons(consent_id: string, query: { to_win?: string | null } = {}): Promise<ConsentReasons> {
    return (await this.send("GET", `/consents/${encodeURIComponent(consent_id)}/reasons`, query)) as ConsentReasons;
  }

  /** Go on with one that was cut off; what was answered is not asked again. */
  async resumeConsent(consent_id: string): Promise<Started> {
    return (await this.send("POST", `/consents/${encodeURIComponent(consent_id)}/resume`)) as Started;
  }

  /** Stop one; it can be resumed. */
  async cancelConsent(consent_id: string): Promise<Started> {
    return (await this.send("POST", `/consents/${encodeURIComponent(consent_id)}/cancel`)) as Started;
  }

  /** The document negotiations that this server shows. */
  async listDocuments(query: { limit?: number; cursor?: string | null } = {}): Promise<PageNegotiationShort> {
    return (await this.send("GET", `/documents`, query)) as PageNegotiationShort;
  }

  /** Open a document negotiation in a directory of its own. */
  async startDocument(body: DocumentRequest | string): Promise<Started> {
    return (await this.send("POST", `/documents`, {}, body)) as Started;
  }

  /** The sources, what everybody said on each issue, the final document as far as it is. */
  async getDocument(name: string): Promise<DocumentTold> {
    return (await this.send("GET", `/documents/${encodeURIComponent(name)}`)) as DocumentTold;
  }

  /** Take a seat, whose turns are taken over this API. One for which a link was made is its person's: 409, and nothing is changed. */
  async takeSeat(name: string, body: SeatRequest | string): Promise<DocumentTold> {
    return (await this.send("POST", `/documents/${encodeURIComponent(name)}/seats`, {}, body)) as DocumentTold;
  }

  /** Bring a text to the table, as long as nothing was said there; it is named after who brings it. */
  async bringSource(name: string, body: SourceRequest | string): Promise<DocumentTold> {
    return (await this.send("POST", `/documents/${encodeURIComponent(name)}/sources`, {}, body)) as DocumentTold;
  }

  /** A whole turn at once: all of it is taken, or nothing, with every reason why. */
  async takeTurn(name: string, body: TurnRequest | string): Promise<TurnTaken> {
    return (await this.send("POST", `/documents/${encodeURIComponent(name)}/turns`, {}, body)) as TurnTaken;
  }

  /** The team of this repository; an empty list where there is none. */
  async listTeams(query: { limit?: number; cursor?: string | null } = {}): Promise<PageTeamShort> {
    return (await this.send("GET", `/teams`, query)) as PageTeamShort;
  }

  /** Begin a team of coding agents in this repository. */
  async startTeam(body: TeamRequest | string): Promise<TeamStarted> {
    return (await this.send("POST", `/teams`, {}, body)) as TeamStarted;
  }

  /** Who works on what, what overlaps, what landed. A seat is shown its own questions. */
  async getTeam(team_id: string): Promise<TeamTold> {
    return (await this.send("GET", `/teams/${encodeURIComponent(team_id)}`)) as TeamTold;
  }

  /** Take a seat, with a branch and a working tree of its own. */
  async joinTeam(team_id: string, body: TeamSeatRequest | string): Promise<TeamSeatTaken> {
    return (await this.send("POST", `/teams/${encodeURIComponent(team_id)}/seats`, {}, body)) as TeamSeatTaken;
  }

  /** What is new for a seat, what it is asked, what comes next. */
  async takeTeamTurn(team_id: string, body: TeamTurnRequest | string): Promise<TeamAnswer> {
    return (await this.send("POST", `/teams/${encodeURIComponent(team_id)}/turns`, {}, body)) as TeamAnswer;
  }

  /** Say what a seat will change; hear who uses it, what breaks, who else is there. */
  async planInTeam(team_id: string, body: TeamPlanRequest | string): Promise<TeamAnswer> {
    return (await this.send("POST", `/teams/${encodeURIComponent(team_id)}/plans`, {}, body)) as TeamAnswer;
  }

  /** Say a whole turn: all of it is taken, or nothing. */
  async sayInTeam(team_id: string, body: TeamWords | string): Promise<TeamAnswer> {
    return (await this.send("POST", `/teams/${encodeURIComponent(team_id)}/words`, {}, body)) as TeamAnswer;
  }

  /** Bring a seat's branch up to date; what is not committed is put back. */
  async syncInTeam(team_id: string, body: TeamSeatWork | string): Promise<TeamSynced> {
    return (await this.send("POST", `/teams/${encodeURIComponent(team_id)}/syncs`, {}, body)) as TeamSynced;
  }

  /** Land a seat's branch. Refused while a question with another seat is open, or a gate refuses. */
  async landInTeam(team_id: string, body: TeamLandRequest | string): Promise<TeamLanding> {
    return (await this.send("POST", `/teams/${encodeURIComponent(team_id)}/landings`, {}, body)) as TeamLanding;
  }

  /** The files that may be read: what git tracks, and neither what it ignores nor `.env*` nor keys. */
  async mapProject(query: { limit?: number; cursor?: string | null } = {}): Promise<PageFile> {
    return (await this.send("GET", `/map`, query)) as PageFile;
  }

  /** The text of one of them, in parts. A provider's key in it is blotted out. */
  async readFile(path: string, query: { offset?: number } = {}): Promise<Text> {
    return (await this.send("GET", `/files/${encodeURIComponent(path)}`, query)) as Text;
  }

  /** Claim the oldest open question that is yours, of one agent or of anybody. `question` is null where none is open. */
  async claimQuestion(body?: ClaimRequest | null | string): Promise<Claim> {
    return (await this.send("POST", `/claims`, {}, body ?? {})) as Claim;
  }

  /** Ask for more time: the lease runs again from now, for as long as it was claimed for. */
  async renewClaim(lease: string): Promise<Claim> {
    return (await this.send("POST", `/claims/${encodeURIComponent(lease)}/renew`)) as Claim;
  }

  /** Answer the claimed question. What is not an answer is refused with the reason, and the lease goes on. */
  async answerClaim(lease: string, body: JsonObject | string): Promise<Done> {
    return (await this.send("POST", `/claims/${encodeURIComponent(lease)}/answer`, {}, body)) as Done;
  }

  /** Give the question back, for another to claim. */
  async releaseClaim(lease: string): Promise<Done> {
    return (await this.send("DELETE", `/claims/${encodeURIComponent(lease)}`)) as Done;
  }

  /** The seats that have a link, and for how many questions each is waited. */
  async listSeats(query: { limit?: number; cursor?: string | null } = {}): Promise<PageSeatTold> {
    return (await this.send("GET", `/seats`, query)) as PageSeatTold;
  }

  /** Give out a link to a seat. From now on its questions are answered with this key alone. Where somebody sat there already, their session ends, and the table is told. */
  async giveSeatLink(body: SeatLinkRequest | string): Promise<SeatLinkMade> {
    return (await this.send("POST", `/seats`, {}, body)) as SeatLinkMade;
  }

  /** One link for a whole table: whoever opens it says who they are, among those who have not sat down yet. */
  async inviteToTable(body: InvitationRequest | string): Promise<Invitation> {
    return (await this.send("POST", `/invitations`, {}, body)) as Invitation;
  }

  /** Tell the table that the right person sits there, after somebody said otherwise. `seat_id` is the seat's `id`. */
  async settleDispute(seat_id: string): Promise<SeatDisputed> {
    return (await this.send("DELETE", `/disputes/${encodeURIComponent(seat_id)}`)) as SeatDisputed;
  }

  /** End a link. `seat_id` is the seat's `id`. */
  async endSeatLink(seat_id: string): Promise<SeatFreed> {
    return (await this.send("DELETE", `/seats/${encodeURIComponent(seat_id)}`)) as SeatFreed;
  }

  /** Who asks: the operator, a seat by its name, or somebody with an invitation. */
  async getMe(): Promise<Me> {
    return (await this.send("GET", `/me`)) as Me;
  }

  /** Sit down with a link, or with an invitation and a name: its key is exchanged for one that only whoever asks has. Of two at once one sits down. */
  async sitDown(body?: SitDownRequest | null | string): Promise<SatDown> {
    return (await this.send("POST", `/sessions`, {}, body ?? {})) as SatDown;
  }

  /** A link to go on with elsewhere, for whoever sits there. This key goes on until that link is opened. */
  async moveSeat(): Promise<SeatLinkMade> {
    return (await this.send("POST", `/links`)) as SeatLinkMade;
  }

  /** Tell the table that somebody else sat down. It takes the link that is refused as `seat_taken`, or the invitation and one's name. It changes nothing of the seat: whoever opened the table makes a new link, or does not. */
  async disputeSeat(body?: DisputeRequest | null | string): Promise<SeatDisputed> {
    return (await this.send("POST", `/disputes`, {}, body ?? {})) as SeatDisputed;
  }

  /** Who sits at a table, and what became of its seats. Everybody there is told the same. */
  async getTable(query: { of?: string | null } = {}): Promise<TableTold> {
    return (await this.send("GET", `/table`, query)) as TableTold;
  }

  /** The last build as AsyncAPI 3, OpenAPI 3.1, Mermaid or DOT. */
  async exportBuild(form: "asyncapi" | "openapi" | "mermaid" | "dot"): Promise<Exported> {
    return (await this.send("GET", `/exports/${encodeURIComponent(form)}`)) as Exported;
  }

  /** What the project's code says of itself, without agents: who gives what to whom, and what cannot fit. Nothing of it runs. */
  async inferProject(): Promise<Inferred> {
    return (await this.send("GET", `/inferred`)) as Inferred;
  }

  /** What `graphbus validate` counts in the project as it stands: links that do not fit, and all else. */
  async listFindings(query: { limit?: number; cursor?: string | null } = {}): Promise<PageFindingTold> {
    return (await this.send("GET", `/findings`, query)) as PageFindingTold;
  }

  /** Every setting of `[tool.graphbus]`: what holds, and where it comes from. */
  async listSettings(query: { limit?: number; cursor?: string | null } = {}): Promise<PageSettingTold> {
    return (await this.send("GET", `/settings`, query)) as PageSettingTold;
  }

  /** The settings that a project without any may begin with, as a diff. Nothing is written. */
  async proposeSettings(): Promise<ProposedSettings> {
    return (await this.send("GET", `/settings/proposed`)) as ProposedSettings;
  }

  /** Write them. What stands there is not changed. */
  async writeSettings(): Promise<ProposedSettings> {
    return (await this.send("POST", `/settings/proposed`)) as ProposedSettings;
  }

  /** Who may call, publish and hear what in a run. */
  async getPolicy(): Promise<PolicyTold> {
    return (await this.send("GET", `/policy`)) as PolicyTold;
  }

  /** Whether the policy lets a node do that: `what` is a `Node.method` or a topic. */
  async checkPolicy(query: { who?: string; verb?: "call" | "publish" | "hear"; what?: string } = {}): Promise<MayTold> {
    return (await this.send("GET", `/policy/check`, query)) as MayTold;
  }

  /** Journals of runs, newest first. */
  async listJournals(query: { limit?: number; cursor?: string | null } = {}): Promise<PageJournalTold> {
    return (await this.send("GET", `/journals`, query)) as PageJournalTold;
  }

  /** What happened in that run, oldest first: events and calls, under what caused them. */
  async listJournalRecords(journal_id: string, query: { limit?: number; cursor?: string | null; topic?: string | null } = {}): Promise<PageJournalRecord> {
    return (await this.send("GET", `/journals/${encodeURIComponent(journal_id)}`, query)) as PageJournalRecord;
  }

  /** Do again, on the newest build and in a process of its own, what came from outside in that run. The program that runs here does not notice. */
  async replayJournal(journal_id: string, body?: ReplayRequest | null | string): Promise<ReplayTold> {
    return (await this.send("POST", `/journals/${encodeURIComponent(journal_id)}/replay`, {}, body ?? {})) as ReplayTold;
  }

  /** Messages after number `after`, for those who would rather ask than listen. A WebSocket on this address sends the same as they happen; `asyncapi.json` describes it. */
  async listMessages(query: { after?: string; limit?: number } = {}): Promise<StreamPage> {
    return (await this.send("GET", `/stream`, query)) as StreamPage;
  }
}
