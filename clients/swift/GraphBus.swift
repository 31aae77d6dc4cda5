// Generated from the OpenAPI document of GraphBus 0.2.0 by `python -m clients`. Do not edit.

import Foundation

/// A user's own JSON: a payload, a schema, an answer.
public enum JSONValue: Codable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    public init(from decoder: Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// The server refused: problem details (RFC 9457).
public struct Refused: Error {
    public let problem: Problem
}


/// The acceptance of an offer; without `hash` of the newest.
public struct Accept: Codable, Equatable {
    public var issue: String
    public var hash: String?

    public init(issue: String, hash: String? = nil) {
        self.issue = issue
        self.hash = hash
    }
}

/// A seat. `person`: its questions lie at the desk.
public struct Advocate: Codable, Equatable {
    public var name: String
    public var priority: String
    public var person: Bool

    public init(name: String, priority: String, person: Bool) {
        self.name = name
        self.priority = priority
        self.person = person
    }
}

/// The person who approved a commit, and why.
public struct Approval: Codable, Equatable {
    public var by: String
    public var reason: String

    public init(by: String, reason: String) {
        self.by = by
        self.reason = reason
    }
}

/// What an arbiter ruled.
public struct Arbitration: Codable, Equatable {
    public var arbiter: String?
    public var decision: String
    public var ruling: String

    public init(arbiter: String?, decision: String, ruling: String) {
        self.arbiter = arbiter
        self.decision = decision
        self.ruling = ruling
    }
}

/// A ballot that was handed in. `lines`: its red lines; `share`: what a deal must be worth, in percent.
public struct Ballot: Codable, Equatable {
    public var marks: [Mark]
    public var lines: [String]
    public var share: Double

    public init(marks: [Mark], lines: [String], share: Double) {
        self.marks = marks
        self.lines = lines
        self.share = share
    }
}

/// A build that this server started. `started_at` is in epoch seconds.
public struct Build: Codable, Equatable {
    public var id: String
    public var state: String
    public var detail: String
    public var startedAt: Double
    public var buildId: String?
    public var committed: Int
    /// What became of its proposals, by outcome.
    public var outcomes: [String: Int]
    public var dryRun: Bool

    enum CodingKeys: String, CodingKey {
        case id = "id"
        case state = "state"
        case detail = "detail"
        case startedAt = "started_at"
        case buildId = "build_id"
        case committed = "committed"
        case outcomes = "outcomes"
        case dryRun = "dry_run"
    }

    public init(id: String, state: String, detail: String, startedAt: Double, buildId: String?, committed: Int, outcomes: [String: Int], dryRun: Bool) {
        self.id = id
        self.state = state
        self.detail = detail
        self.startedAt = startedAt
        self.buildId = buildId
        self.committed = committed
        self.outcomes = outcomes
        self.dryRun = dryRun
    }
}

/// A build on disk.
public struct BuildRef: Codable, Equatable {
    public var buildId: String
    public var builtAt: String

    enum CodingKeys: String, CodingKey {
        case buildId = "build_id"
        case builtAt = "built_at"
    }

    public init(buildId: String, builtAt: String) {
        self.buildId = buildId
        self.builtAt = builtAt
    }
}

/// A build to start. With `approve`, every commit waits for an answer to a question; with `verify`, for tests. What is left out or null is as `[tool.graphbus]` of the project says, as on the command line.
public struct BuildRequest: Codable, Equatable {
    public var enableAgents: Bool?
    public var approve: Bool?
    public var dryRun: Bool?
    public var rounds: Int?
    public var intent: String?
    public var model: String?
    /// Agents that people answer for.
    public var humans: [String]?
    /// Go on with the unfinished negotiation, as it was asked for.
    public var resume: Bool?
    /// The project's own tests must pass first.
    public var verify: String?
    public var proposal: ProposalRequest?

    enum CodingKeys: String, CodingKey {
        case enableAgents = "enable_agents"
        case approve = "approve"
        case dryRun = "dry_run"
        case rounds = "rounds"
        case intent = "intent"
        case model = "model"
        case humans = "humans"
        case resume = "resume"
        case verify = "verify"
        case proposal = "proposal"
    }

    public init(enableAgents: Bool? = nil, approve: Bool? = nil, dryRun: Bool? = nil, rounds: Int? = nil, intent: String? = nil, model: String? = nil, humans: [String]? = nil, resume: Bool? = nil, verify: String? = nil, proposal: ProposalRequest? = nil) {
        self.enableAgents = enableAgents
        self.approve = approve
        self.dryRun = dryRun
        self.rounds = rounds
        self.intent = intent
        self.model = model
        self.humans = humans
        self.resume = resume
        self.verify = verify
        self.proposal = proposal
    }
}

/// Counters of the bus since its start. `errors`: deliveries that failed for good, each once.
public struct BusStats: Codable, Equatable {
    public var messagesPublished: Int
    public var messagesDelivered: Int
    /// Of those published: refused by a payload check.
    public var messagesRejected: Int
    public var errors: Int
    public var payloadViolations: Int
    public var deadLetters: Int
    /// Older ones that were let go: the newest 1,000 are kept.
    public var deadLettersLost: Int
    public var totalSubscriptions: Int

    enum CodingKeys: String, CodingKey {
        case messagesPublished = "messages_published"
        case messagesDelivered = "messages_delivered"
        case messagesRejected = "messages_rejected"
        case errors = "errors"
        case payloadViolations = "payload_violations"
        case deadLetters = "dead_letters"
        case deadLettersLost = "dead_letters_lost"
        case totalSubscriptions = "total_subscriptions"
    }

    public init(messagesPublished: Int, messagesDelivered: Int, messagesRejected: Int, errors: Int, payloadViolations: Int, deadLetters: Int, deadLettersLost: Int, totalSubscriptions: Int) {
        self.messagesPublished = messagesPublished
        self.messagesDelivered = messagesDelivered
        self.messagesRejected = messagesRejected
        self.errors = errors
        self.payloadViolations = payloadViolations
        self.deadLetters = deadLetters
        self.deadLettersLost = deadLettersLost
        self.totalSubscriptions = totalSubscriptions
    }
}

/// A direct call: `method` with `payload` as keyword arguments. Without `timeout_s` the deadline is 60 s.
public struct CallRequest: Codable, Equatable {
    public var method: String
    public var payload: [String: JSONValue]?
    public var timeoutS: Double?

    enum CodingKeys: String, CodingKey {
        case method = "method"
        case payload = "payload"
        case timeoutS = "timeout_s"
    }

    public init(method: String, payload: [String: JSONValue]? = nil, timeoutS: Double? = nil) {
        self.method = method
        self.payload = payload
        self.timeoutS = timeoutS
    }
}

/// What the method returned.
public struct CallResult: Codable, Equatable {
    public var result: JSONValue

    public init(result: JSONValue) {
        self.result = result
    }
}

/// Two contracts: JSON Schemas, or names as `Node.method`.
public struct CheckRequest: Codable, Equatable {
    public var producer: JSONValue
    public var consumer: JSONValue

    public init(producer: JSONValue, consumer: JSONValue) {
        self.producer = producer
        self.consumer = consumer
    }
}

/// A question that is yours for `lease_s` seconds. `lease` is the token to answer, renew or give it back with.
public struct Claim: Codable, Equatable {
    public var question: Question?
    public var lease: String?
    public var leaseS: Double?

    enum CodingKeys: String, CodingKey {
        case question = "question"
        case lease = "lease"
        case leaseS = "lease_s"
    }

    public init(question: Question?, lease: String?, leaseS: Double?) {
        self.question = question
        self.lease = lease
        self.leaseS = leaseS
    }
}

/// `to`: the agent to speak for; without it, whoever is asked.
public struct ClaimRequest: Codable, Equatable {
    public var to: String?
    /// Unanswered by then, it counts as silence.
    public var leaseS: Double?

    enum CodingKeys: String, CodingKey {
        case to = "to"
        case leaseS = "lease_s"
    }

    public init(to: String? = nil, leaseS: Double? = nil) {
        self.to = to
        self.leaseS = leaseS
    }
}

/// A card of the picture. Places and sizes are in points at its natural size. `needs`: the components that it calls or waits for, as `@depends_on` says, where no link of data says so already.
public struct Component: Codable, Equatable {
    public var name: String
    public var module: String
    public var sourceFile: String
    public var isArbiter: Bool
    public var methods: [MethodRow]
    public var publishes: [TopicRow]
    public var hears: [HearRow]
    public var needs: [String]
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    enum CodingKeys: String, CodingKey {
        case name = "name"
        case module = "module"
        case sourceFile = "source_file"
        case isArbiter = "is_arbiter"
        case methods = "methods"
        case publishes = "publishes"
        case hears = "hears"
        case needs = "needs"
        case x = "x"
        case y = "y"
        case width = "width"
        case height = "height"
    }

    public init(name: String, module: String, sourceFile: String, isArbiter: Bool, methods: [MethodRow], publishes: [TopicRow], hears: [HearRow], needs: [String], x: Int, y: Int, width: Int, height: Int) {
        self.name = name
        self.module = module
        self.sourceFile = sourceFile
        self.isArbiter = isArbiter
        self.methods = methods
        self.publishes = publishes
        self.hears = hears
        self.needs = needs
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// A consent negotiation. `record`: the certificate of the agreement, or the proof that there is none, with what would change it. `waiting_for`: who is asked now; what they are asked is told to them alone. `course`: how it came to its end, in a sentence or two. `ballot`: what whoever asks has handed in; nobody is told another's.
public struct Consent: Codable, Equatable {
    public var id: String
    public var topic: String
    public var waitingFor: [String]
    public var state: String
    public var status: String
    public var detail: String
    public var preferences: String
    public var turns: Int
    public var maxTurns: Int
    public var advocates: [Advocate]
    public var issues: [ConsentIssue]
    public var said: [Said]
    public var standing: Standing?
    public var agreement: [Term]?
    public var frontier: [FrontierPoint]
    public var record: [String: JSONValue]?
    public var course: String
    public var ballot: Ballot?

    enum CodingKeys: String, CodingKey {
        case id = "id"
        case topic = "topic"
        case waitingFor = "waiting_for"
        case state = "state"
        case status = "status"
        case detail = "detail"
        case preferences = "preferences"
        case turns = "turns"
        case maxTurns = "max_turns"
        case advocates = "advocates"
        case issues = "issues"
        case said = "said"
        case standing = "standing"
        case agreement = "agreement"
        case frontier = "frontier"
        case record = "record"
        case course = "course"
        case ballot = "ballot"
    }

    public init(id: String, topic: String, waitingFor: [String], state: String, status: String, detail: String, preferences: String, turns: Int, maxTurns: Int, advocates: [Advocate], issues: [ConsentIssue], said: [Said], standing: Standing?, agreement: [Term]?, frontier: [FrontierPoint], record: [String: JSONValue]?, course: String, ballot: Ballot?) {
        self.id = id
        self.topic = topic
        self.waitingFor = waitingFor
        self.state = state
        self.status = status
        self.detail = detail
        self.preferences = preferences
        self.turns = turns
        self.maxTurns = maxTurns
        self.advocates = advocates
        self.issues = issues
        self.said = said
        self.standing = standing
        self.agreement = agreement
        self.frontier = frontier
        self.record = record
        self.course = course
        self.ballot = ballot
    }
}

/// What is to be decided, and between what.
public struct ConsentIssue: Codable, Equatable {
    public var name: String
    public var title: String
    public var options: [String]

    public init(name: String, title: String, options: [String]) {
        self.name = name
        self.title = title
        self.options = options
    }
}

/// Why that deal. `change`: what would make the other deal win that was asked about.
public struct ConsentReasons: Codable, Equatable {
    public var words: String
    public var change: String?
    public var seats: [SeatReason]

    public init(words: String, change: String?, seats: [SeatReason]) {
        self.words = words
        self.change = change
        self.seats = seats
    }
}

/// A decision: `prompt` in words, or `scenario`, the text of a scenario file. `humans` answer at the desk.
public struct ConsentRequest: Codable, Equatable {
    public var prompt: String?
    public var scenario: String?
    /// Name and priority of each advocate.
    public var advocates: [String: String]?
    public var humans: [String]?
    public var model: String?
    public var maxTurns: Int?
    public var seed: Int?
    public var preferences: String?
    /// Who of its people opens it: the others are told to ask them.
    public var opener: String?
    /// Where it is sealed: each person may answer with one ballot in place of questions.
    public var wholeBallots: Bool?
    /// Where it is disclosed: no person is asked for a position. The first advocate, where it is a person, opens the table with what it proposes, which everybody is asked about at once; with their vote the others may say what matters to them.
    public var openByProposal: Bool?

    enum CodingKeys: String, CodingKey {
        case prompt = "prompt"
        case scenario = "scenario"
        case advocates = "advocates"
        case humans = "humans"
        case model = "model"
        case maxTurns = "max_turns"
        case seed = "seed"
        case preferences = "preferences"
        case opener = "opener"
        case wholeBallots = "whole_ballots"
        case openByProposal = "open_by_proposal"
    }

    public init(prompt: String? = nil, scenario: String? = nil, advocates: [String: String]? = nil, humans: [String]? = nil, model: String? = nil, maxTurns: Int? = nil, seed: Int? = nil, preferences: String? = nil, opener: String? = nil, wholeBallots: Bool? = nil, openByProposal: Bool? = nil) {
        self.prompt = prompt
        self.scenario = scenario
        self.advocates = advocates
        self.humans = humans
        self.model = model
        self.maxTurns = maxTurns
        self.seed = seed
        self.preferences = preferences
        self.opener = opener
        self.wholeBallots = wholeBallots
        self.openByProposal = openByProposal
    }
}

/// A declared contract: as JSON Schema, and as it stands in the source.
public struct Contract: Codable, Equatable {
    public var jsonSchema: JSONValue
    public var source: String?
    public var description: String?

    enum CodingKeys: String, CodingKey {
        case jsonSchema = "json_schema"
        case source = "source"
        case description = "description"
    }

    public init(jsonSchema: JSONValue, source: String?, description: String?) {
        self.jsonSchema = jsonSchema
        self.source = source
        self.description = description
    }
}

/// Data that flows. `state` is `undecided` where inclusion could not be decided; that counts as a no.
public struct DataLink: Codable, Equatable {
    public var id: String
    public var source: Endpoint
    public var target: Endpoint
    public var origin: String
    public var evidence: [String]
    public var guessed: Bool
    public var state: String
    public var fields: [FieldLink]
    public var reasons: [String]
    public var paths: [String]
    /// File and line of its source and of its target.
    public var places: [String]
    /// A payload that may be sent and is not accepted.
    public var counterexample: JSONValue
    /// For each reason that a field has, a payload that proves it.
    public var proofs: [Proof]

    public init(id: String, source: Endpoint, target: Endpoint, origin: String, evidence: [String], guessed: Bool, state: String, fields: [FieldLink], reasons: [String], paths: [String], places: [String], counterexample: JSONValue, proofs: [Proof]) {
        self.id = id
        self.source = source
        self.target = target
        self.origin = origin
        self.evidence = evidence
        self.guessed = guessed
        self.state = state
        self.fields = fields
        self.reasons = reasons
        self.paths = paths
        self.places = places
        self.counterexample = counterexample
        self.proofs = proofs
    }
}

/// An event that a handler did not take, and why it failed at the last try. Times are in epoch seconds.
public struct DeadLetterTold: Codable, Equatable {
    public var id: String
    public var topic: String
    public var subscriber: String
    public var error: String
    public var errorType: String
    public var attempts: Int
    /// When it failed first.
    public var firstAt: Double
    /// When it failed last: later than `first_at` once it was tried again.
    public var lastAt: Double
    public var event: EventTold?

    enum CodingKeys: String, CodingKey {
        case id = "id"
        case topic = "topic"
        case subscriber = "subscriber"
        case error = "error"
        case errorType = "error_type"
        case attempts = "attempts"
        case firstAt = "first_at"
        case lastAt = "last_at"
        case event = "event"
    }

    public init(id: String, topic: String, subscriber: String, error: String, errorType: String, attempts: Int, firstAt: Double, lastAt: Double, event: EventTold?) {
        self.id = id
        self.topic = topic
        self.subscriber = subscriber
        self.error = error
        self.errorType = errorType
        self.attempts = attempts
        self.firstAt = firstAt
        self.lastAt = lastAt
        self.event = event
    }
}

/// With a link nothing is said. With an invitation: `name`, who one is.
public struct DisputeRequest: Codable, Equatable {
    public var name: String?

    public init(name: String? = nil) {
        self.name = name
    }
}

/// Who sits there. `ours`: its turns are taken over this API. `called`: its person's name.
public struct DocumentAgent: Codable, Equatable {
    public var name: String
    public var called: String
    public var participant: String
    public var ours: Bool

    public init(name: String, called: String, participant: String, ours: Bool) {
        self.name = name
        self.called = called
        self.participant = participant
        self.ours = ours
    }
}

/// A position, a challenge or an offer. `hash` names it where it can be accepted, and `accepted` who has done so.
public struct DocumentEntry: Codable, Equatable {
    public var by: String
    public var kind: String
    public var number: Int
    public var text: String
    public var turn: Int
    public var offer: Bool
    public var hash: String?
    public var accepted: [String]

    public init(by: String, kind: String, number: Int, text: String, turn: Int, offer: Bool, hash: String?, accepted: [String]) {
        self.by = by
        self.kind = kind
        self.number = number
        self.text = text
        self.turn = turn
        self.offer = offer
        self.hash = hash
        self.accepted = accepted
    }
}

/// A document that a turn would make, and the hash by which it is accepted with that turn. `left_out`: statements of the sources that it leaves out although nobody decided that; `undecided`: how many it has side by side.
public struct DocumentForeseen: Codable, Equatable {
    public var text: String
    public var hash: String
    public var leftOut: [String]
    public var undecided: Int

    enum CodingKeys: String, CodingKey {
        case text = "text"
        case hash = "hash"
        case leftOut = "left_out"
        case undecided = "undecided"
    }

    public init(text: String, hash: String, leftOut: [String], undecided: Int) {
        self.text = text
        self.hash = hash
        self.leftOut = leftOut
        self.undecided = undecided
    }
}

/// A point, with all that was said on it.
public struct DocumentIssue: Codable, Equatable {
    public var stem: String
    public var title: String
    public var text: String
    public var status: String
    public var decision: String
    public var settled: Bool
    public var ruled: Bool
    public var accepted: [String]
    public var entries: [DocumentEntry]

    public init(stem: String, title: String, text: String, status: String, decision: String, settled: Bool, ruled: Bool, accepted: [String], entries: [DocumentEntry]) {
        self.stem = stem
        self.title = title
        self.text = text
        self.status = status
        self.decision = decision
        self.settled = settled
        self.ruled = ruled
        self.accepted = accepted
        self.entries = entries
    }
}

/// A document negotiation to open, in a directory of its own below the project's build folder.
public struct DocumentRequest: Codable, Equatable {
    public var name: String
    public var topic: String?
    public var sources: [Source]?
    public var agents: Int?
    public var maxRounds: Int?

    enum CodingKeys: String, CodingKey {
        case name = "name"
        case topic = "topic"
        case sources = "sources"
        case agents = "agents"
        case maxRounds = "max_rounds"
    }

    public init(name: String, topic: String? = nil, sources: [Source]? = nil, agents: Int? = nil, maxRounds: Int? = nil) {
        self.name = name
        self.topic = topic
        self.sources = sources
        self.agents = agents
        self.maxRounds = maxRounds
    }
}

/// The document that every seat accepts, by its `hash`: a turn that accepts the issue `final.md`. `altered`: the decisions that do not stand in it word for word.
public struct DocumentSigning: Codable, Equatable {
    public var hash: String
    public var accepted: [String]
    public var missing: [String]
    public var altered: [String]
    public var fates: [StatementFate]

    public init(hash: String, accepted: [String], missing: [String], altered: [String], fates: [StatementFate]) {
        self.hash = hash
        self.accepted = accepted
        self.missing = missing
        self.altered = altered
        self.fates = fates
    }
}

/// A document negotiation, whole. `final` is the document as far as it is; `is_final` says whether it stands. `signing`: what is to be accepted, once every issue is settled. `foreseen`: the document that comes of it when whoever has the turn accepts, on each open issue, the only words that others offer; none where that settles less.
public struct DocumentTold: Codable, Equatable {
    public var name: String
    public var topic: String
    public var phase: String
    public var holder: String?
    public var turn: Int
    public var expectedAgents: Int
    public var maxRounds: Int
    public var agents: [DocumentAgent]
    public var sources: [SourceTold]
    public var issues: [DocumentIssue]
    public var final: String
    public var isFinal: Bool
    public var ended: String
    public var signing: DocumentSigning?
    public var foreseen: DocumentForeseen?

    enum CodingKeys: String, CodingKey {
        case name = "name"
        case topic = "topic"
        case phase = "phase"
        case holder = "holder"
        case turn = "turn"
        case expectedAgents = "expected_agents"
        case maxRounds = "max_rounds"
        case agents = "agents"
        case sources = "sources"
        case issues = "issues"
        case final = "final"
        case isFinal = "is_final"
        case ended = "ended"
        case signing = "signing"
        case foreseen = "foreseen"
    }

    public init(name: String, topic: String, phase: String, holder: String?, turn: Int, expectedAgents: Int, maxRounds: Int, agents: [DocumentAgent], sources: [SourceTold], issues: [DocumentIssue], final: String, isFinal: Bool, ended: String, signing: DocumentSigning?, foreseen: DocumentForeseen?) {
        self.name = name
        self.topic = topic
        self.phase = phase
        self.holder = holder
        self.turn = turn
        self.expectedAgents = expectedAgents
        self.maxRounds = maxRounds
        self.agents = agents
        self.sources = sources
        self.issues = issues
        self.final = final
        self.isFinal = isFinal
        self.ended = ended
        self.signing = signing
        self.foreseen = foreseen
    }
}

/// It was done.
public struct Done: Codable, Equatable {
    public var ok: Bool

    public init(ok: Bool) {
        self.ok = ok
    }
}

/// How it ended.
public struct Ended: Codable, Equatable {
    public var reason: String
    public var why: String

    public init(reason: String, why: String) {
        self.reason = reason
        self.why = why
    }
}

/// One end of a link: a method's output or input, or a topic's payload.
public struct Endpoint: Codable, Equatable {
    public var node: String
    public var method: String?
    public var topic: String?

    public init(node: String, method: String?, topic: String?) {
        self.node = node
        self.method = method
        self.topic = topic
    }
}

/// What one seat said of a proposal.
public struct Evaluation: Codable, Equatable {
    public var agent: String
    public var decision: String
    public var reasoning: String
    public var confidence: Double?

    public init(agent: String, decision: String, reasoning: String, confidence: Double?) {
        self.agent = agent
        self.decision = decision
        self.reasoning = reasoning
        self.confidence = confidence
    }
}

/// An event of the bus. `timestamp` is in epoch seconds; `cause` is the event whose handler published it.
public struct EventTold: Codable, Equatable {
    public var eventId: String
    public var topic: String
    public var src: String
    public var payload: JSONValue
    public var timestamp: Double?
    public var cause: String?

    enum CodingKeys: String, CodingKey {
        case eventId = "event_id"
        case topic = "topic"
        case src = "src"
        case payload = "payload"
        case timestamp = "timestamp"
        case cause = "cause"
    }

    public init(eventId: String, topic: String, src: String, payload: JSONValue, timestamp: Double?, cause: String?) {
        self.eventId = eventId
        self.topic = topic
        self.src = src
        self.payload = payload
        self.timestamp = timestamp
        self.cause = cause
    }
}

/// A build in a form that other tools read. `file` is a name for it.
public struct Exported: Codable, Equatable {
    public var format: String
    public var mediaType: String
    public var file: String
    public var text: String

    enum CodingKeys: String, CodingKey {
        case format = "format"
        case mediaType = "media_type"
        case file = "file"
        case text = "text"
    }

    public init(format: String, mediaType: String, file: String, text: String) {
        self.format = format
        self.mediaType = mediaType
        self.file = file
        self.text = text
    }
}

/// One fact of a log. Its `data` is as the log has it.
public struct Fact: Codable, Equatable {
    public var seq: Int
    public var kind: String
    public var at: Double?
    public var data: [String: JSONValue]

    public init(seq: Int, kind: String, at: Double?, data: [String: JSONValue]) {
        self.seq = seq
        self.kind = kind
        self.at = at
        self.data = data
    }
}

/// The gate that said no.
public struct FailedGate: Codable, Equatable {
    public var gate: String
    public var reason: String

    public init(gate: String, reason: String) {
        self.gate = gate
        self.reason = reason
    }
}

/// A field that feeds another. `source` is null where nobody sends what the consumer requires.
public struct FieldLink: Codable, Equatable {
    public var source: String?
    public var target: String
    public var fits: Bool
    /// Why the field does not fit.
    public var lacks: [String]
    /// Fields that are sent, taken by nobody here, and would fit it.
    public var alike: [String]

    public init(source: String?, target: String, fits: Bool, lacks: [String], alike: [String]) {
        self.source = source
        self.target = target
        self.fits = fits
        self.lacks = lacks
        self.alike = alike
    }
}

/// A file that may be read. `id` is its path.
public struct File: Codable, Equatable {
    public var id: String
    public var path: String
    public var bytes: Int

    public init(id: String, path: String, bytes: Int) {
        self.id = id
        self.path = path
        self.bytes = bytes
    }
}

/// What cannot be as it stands there, and what to do.
public struct FindingTold: Codable, Equatable {
    public var code: String
    public var level: String
    public var message: String
    public var file: String
    public var line: Int
    public var subject: String
    public var fingerprint: String
    public var reasons: [String]
    public var fix: String?

    public init(code: String, level: String, message: String, file: String, line: Int, subject: String, fingerprint: String, reasons: [String], fix: String?) {
        self.code = code
        self.level = level
        self.message = message
        self.file = file
        self.line = line
        self.subject = subject
        self.fingerprint = fingerprint
        self.reasons = reasons
        self.fix = fix
    }
}

/// Where a dry run starts: with the sources as they stood after this fact. Without `model` the settings say.
public struct ForkRequest: Codable, Equatable {
    public var at: Int
    public var model: String?

    public init(at: Int, model: String? = nil) {
        self.at = at
        self.model = model
    }
}

/// An efficient outcome by the mean and the least satisfaction, from 0 to 1; one of them may be the agreement.
public struct FrontierPoint: Codable, Equatable {
    public var mean: Double
    public var least: Double
    public var agreed: Bool
    public var terms: [Term]

    public init(mean: Double, least: Double, agreed: Bool, terms: [Term]) {
        self.mean = mean
        self.least = least
        self.agreed = agreed
        self.terms = terms
    }
}

/// How a gate ended: `proved`, `tested`, `not run`, `refused`, with the reason.
public struct Gate: Codable, Equatable {
    public var gate: String
    public var end: String
    public var why: String

    public init(gate: String, end: String, why: String) {
        self.gate = gate
        self.end = end
        self.why = why
    }
}

/// What the gates came to.
public struct Gates: Codable, Equatable {
    public var passed: [String]
    public var failed: FailedGate?
    public var ends: [Gate]

    public init(passed: [String], failed: FailedGate?, ends: [Gate]) {
        self.passed = passed
        self.failed = failed
        self.ends = ends
    }
}

/// Whether the server answers, and what it is.
public struct Health: Codable, Equatable {
    public var ok: Bool
    public var version: String

    public init(ok: Bool, version: String) {
        self.ok = ok
        self.version = version
    }
}

/// A topic that is heard, and the handler.
public struct HearRow: Codable, Equatable {
    public var topic: String
    public var handler: String

    public init(topic: String, handler: String) {
        self.topic = topic
        self.handler = handler
    }
}

/// A project as it is read, without agents. `levels`: how many contracts are how sure.
public struct Inferred: Codable, Equatable {
    public var files: Int
    public var components: [InferredComponent]
    public var links: [InferredLink]
    public var findings: [FindingTold]
    public var levels: [String: Int]
    public var leftOut: [String]

    enum CodingKeys: String, CodingKey {
        case files = "files"
        case components = "components"
        case links = "links"
        case findings = "findings"
        case levels = "levels"
        case leftOut = "left_out"
    }

    public init(files: Int, components: [InferredComponent], links: [InferredLink], findings: [FindingTold], levels: [String: Int], leftOut: [String]) {
        self.files = files
        self.components = components
        self.links = links
        self.findings = findings
        self.levels = levels
        self.leftOut = leftOut
    }
}

/// A class, or a module whose functions are called from another one.
public struct InferredComponent: Codable, Equatable {
    public var name: String
    public var kind: String
    public var file: String
    public var line: Int
    public var methods: [InferredMethod]

    public init(name: String, kind: String, file: String, line: Int, methods: [InferredMethod]) {
        self.name = name
        self.kind = kind
        self.file = file
        self.line = line
        self.methods = methods
    }
}

/// What a method takes.
public struct InferredInput: Codable, Equatable {
    public var type: String
    public var level: String
    public var source: String
    public var name: String
    public var required: Bool

    public init(type: String, level: String, source: String, name: String, required: Bool) {
        self.type = type
        self.level = level
        self.source = source
        self.name = name
        self.required = required
    }
}

/// What one gives reaches what the other takes, as the places show.
public struct InferredLink: Codable, Equatable {
    public var producer: String
    public var consumer: String
    public var places: [String]

    public init(producer: String, consumer: String, places: [String]) {
        self.producer = producer
        self.consumer = consumer
        self.places = places
    }
}

/// A method as its code shows it.
public struct InferredMethod: Codable, Equatable {
    public var name: String
    public var file: String
    public var line: Int
    public var level: String
    public var takes: [InferredInput]
    public var gives: InferredType

    public init(name: String, file: String, line: Int, level: String, takes: [InferredInput], gives: InferredType) {
        self.name = name
        self.file = file
        self.line = line
        self.level = level
        self.takes = takes
        self.gives = gives
    }
}

/// A type, how sure it is, and what shows it.
public struct InferredType: Codable, Equatable {
    public var type: String
    public var level: String
    public var source: String

    public init(type: String, level: String, source: String) {
        self.type = type
        self.level = level
        self.source = source
    }
}

/// An invitation: the server's address with `#seat=` and the key. It is told this once; a new one ends it.
public struct Invitation: Codable, Equatable {
    public var table: String
    public var key: String

    public init(table: String, key: String) {
        self.table = table
        self.key = key
    }
}

/// The table to invite to. Whoever has the invitation takes one of its seats, in which nobody has sat.
public struct InvitationRequest: Codable, Equatable {
    public var table: String

    public init(table: String) {
        self.table = table
    }
}

/// An event or a call of a run. `depth`: under how many others it came about.
public struct JournalRecord: Codable, Equatable {
    public var id: String
    public var kind: String
    public var what: String
    public var src: String
    public var payload: JSONValue
    public var at: Double?
    public var cause: String?
    public var depth: Int
    public var refused: Bool

    public init(id: String, kind: String, what: String, src: String, payload: JSONValue, at: Double?, cause: String?, depth: Int, refused: Bool) {
        self.id = id
        self.kind = kind
        self.what = what
        self.src = src
        self.payload = payload
        self.at = at
        self.cause = cause
        self.depth = depth
        self.refused = refused
    }
}

/// A journal of a run. `checks`: the payload checks of the run that began it.
public struct JournalTold: Codable, Equatable {
    public var id: String
    public var bytes: Int
    public var at: Double
    public var checks: String

    public init(id: String, bytes: Int, at: Double, checks: String) {
        self.id = id
        self.bytes = bytes
        self.at = at
        self.checks = checks
    }
}

/// A link that does not fit, before a change and after it: `mended` are its fields that fit then, `fields` those that do not, `reasons` what is wrong with it then.
public struct LeftLink: Codable, Equatable {
    public var link: String
    public var agents: [String]
    public var mended: [String]
    public var fields: [String]
    public var reasons: [String]

    public init(link: String, agents: [String], mended: [String], fields: [String], reasons: [String]) {
        self.link = link
        self.agents = agents
        self.mended = mended
        self.fields = fields
        self.reasons = reasons
    }
}

/// A link that a node is an end of.
public struct LinkEnd: Codable, Equatable {
    public var producer: Endpoint
    public var consumer: Endpoint
    public var origin: String

    public init(producer: Endpoint, consumer: Endpoint, origin: String) {
        self.producer = producer
        self.consumer = consumer
        self.origin = origin
    }
}

/// A log held against its checksums, its head and its answers.
public struct LogVerified: Codable, Equatable {
    public var id: String
    public var facts: Int
    public var hash: String
    public var isSound: Bool
    public var damage: String?
    public var answers: Int

    enum CodingKeys: String, CodingKey {
        case id = "id"
        case facts = "facts"
        case hash = "hash"
        case isSound = "is_sound"
        case damage = "damage"
        case answers = "answers"
    }

    public init(id: String, facts: Int, hash: String, isSound: Bool, damage: String?, answers: Int) {
        self.id = id
        self.facts = facts
        self.hash = hash
        self.isSound = isSound
        self.damage = damage
        self.answers = answers
    }
}

/// What a ballot says of an option, in points and in words.
public struct Mark: Codable, Equatable {
    public var issue: String
    public var option: String
    public var points: Int
    public var says: String

    public init(issue: String, option: String, points: Int, says: String) {
        self.issue = issue
        self.option = option
        self.points = points
        self.says = says
    }
}

/// Whether the policy allows it; `why` names the rule that does not.
public struct MayTold: Codable, Equatable {
    public var allowed: Bool
    public var why: String?

    public init(allowed: Bool, why: String?) {
        self.allowed = allowed
        self.why = why
    }
}

/// Who asks. The operator opened the server; a seat has a `name` at a `table`; who has an invitation has no name yet. `seated`: this key is held by who sat down with it alone; a link that was not opened yet is not.
public struct Me: Codable, Equatable {
    public var role: String
    public var table: String?
    public var name: String?
    public var seated: Bool
    /// What whoever sits there is called.
    public var called: String?

    public init(role: String, table: String?, name: String?, seated: Bool, called: String?) {
        self.role = role
        self.table = table
        self.name = name
        self.seated = seated
        self.called = called
    }
}

/// A method of a node.
public struct Method: Codable, Equatable {
    public var name: String
    public var inputSchema: Contract?
    public var outputSchema: Contract?
    public var description: String?
    public var parameters: [Parameter]
    public var dependsOn: [String]
    public var lineno: Int
    public var endLineno: Int
    public var isAsync: Bool

    enum CodingKeys: String, CodingKey {
        case name = "name"
        case inputSchema = "input_schema"
        case outputSchema = "output_schema"
        case description = "description"
        case parameters = "parameters"
        case dependsOn = "depends_on"
        case lineno = "lineno"
        case endLineno = "end_lineno"
        case isAsync = "is_async"
    }

    public init(name: String, inputSchema: Contract?, outputSchema: Contract?, description: String?, parameters: [Parameter], dependsOn: [String], lineno: Int, endLineno: Int, isAsync: Bool) {
        self.name = name
        self.inputSchema = inputSchema
        self.outputSchema = outputSchema
        self.description = description
        self.parameters = parameters
        self.dependsOn = dependsOn
        self.lineno = lineno
        self.endLineno = endLineno
        self.isAsync = isAsync
    }
}

/// A method with its fields. `declared` is false where it has no contract.
public struct MethodRow: Codable, Equatable {
    public var name: String
    public var inputs: [Port]
    public var outputs: [Port]
    public var declared: Bool

    public init(name: String, inputs: [Port], outputs: [Port], declared: Bool) {
        self.name = name
        self.inputs = inputs
        self.outputs = outputs
        self.declared = declared
    }
}

/// A link that does not fit, with the payload that proves it. `compatible` is null where it is undecided.
public struct MismatchTold: Codable, Equatable {
    public var id: String
    public var producer: String
    public var consumer: String
    public var compatible: Bool?
    public var reasons: [String]
    public var paths: [String]
    public var counterexample: JSONValue

    public init(id: String, producer: String, consumer: String, compatible: Bool?, reasons: [String], paths: [String], counterexample: JSONValue) {
        self.id = id
        self.producer = producer
        self.consumer = consumer
        self.compatible = compatible
        self.reasons = reasons
        self.paths = paths
        self.counterexample = counterexample
    }
}

/// A negotiation as it stands, or as it stood after fact number `at`. `log` is null for the other two kinds: these are told whole under /consents and /documents.
public struct Negotiation: Codable, Equatable {
    public var id: String
    public var kind: String
    public var state: String
    public var damage: String?
    public var dryRun: Bool
    public var events: Int
    public var startedAt: Double?
    public var question: String
    public var outcome: String
    public var at: Int
    public var log: ProposalLog?

    enum CodingKeys: String, CodingKey {
        case id = "id"
        case kind = "kind"
        case state = "state"
        case damage = "damage"
        case dryRun = "dry_run"
        case events = "events"
        case startedAt = "started_at"
        case question = "question"
        case outcome = "outcome"
        case at = "at"
        case log = "log"
    }

    public init(id: String, kind: String, state: String, damage: String?, dryRun: Bool, events: Int, startedAt: Double?, question: String, outcome: String, at: Int, log: ProposalLog?) {
        self.id = id
        self.kind = kind
        self.state = state
        self.damage = damage
        self.dryRun = dryRun
        self.events = events
        self.startedAt = startedAt
        self.question = question
        self.outcome = outcome
        self.at = at
        self.log = log
    }
}

/// A negotiation in a list. `state` is `running` where this server drives it now. `question`: what it is about, in a line; "" where that is not known. `outcome`: what became of a build's proposals, in words.
public struct NegotiationShort: Codable, Equatable {
    public var id: String
    public var kind: String
    public var state: String
    public var damage: String?
    public var dryRun: Bool
    public var events: Int
    public var startedAt: Double?
    public var question: String
    public var outcome: String

    enum CodingKeys: String, CodingKey {
        case id = "id"
        case kind = "kind"
        case state = "state"
        case damage = "damage"
        case dryRun = "dry_run"
        case events = "events"
        case startedAt = "started_at"
        case question = "question"
        case outcome = "outcome"
    }

    public init(id: String, kind: String, state: String, damage: String?, dryRun: Bool, events: Int, startedAt: Double?, question: String, outcome: String) {
        self.id = id
        self.kind = kind
        self.state = state
        self.damage = damage
        self.dryRun = dryRun
        self.events = events
        self.startedAt = startedAt
        self.question = question
        self.outcome = outcome
    }
}

/// A new point.
public struct NewIssue: Codable, Equatable {
    public var title: String
    public var question: String?

    public init(title: String, question: String? = nil) {
        self.title = title
        self.question = question
    }
}

/// A node, whole.
public struct Node: Codable, Equatable {
    public var name: String
    public var module: String
    public var className: String
    public var sourceFile: String
    public var sourceCode: String
    public var systemPrompt: SystemPrompt
    public var methods: [Method]
    public var subscriptions: [SubscriptionTold]
    public var publications: [PublicationTold]
    public var dependsOn: [String]
    public var links: [LinkEnd]

    enum CodingKeys: String, CodingKey {
        case name = "name"
        case module = "module"
        case className = "class_name"
        case sourceFile = "source_file"
        case sourceCode = "source_code"
        case systemPrompt = "system_prompt"
        case methods = "methods"
        case subscriptions = "subscriptions"
        case publications = "publications"
        case dependsOn = "depends_on"
        case links = "links"
    }

    public init(name: String, module: String, className: String, sourceFile: String, sourceCode: String, systemPrompt: SystemPrompt, methods: [Method], subscriptions: [SubscriptionTold], publications: [PublicationTold], dependsOn: [String], links: [LinkEnd]) {
        self.name = name
        self.module = module
        self.className = className
        self.sourceFile = sourceFile
        self.sourceCode = sourceCode
        self.systemPrompt = systemPrompt
        self.methods = methods
        self.subscriptions = subscriptions
        self.publications = publications
        self.dependsOn = dependsOn
        self.links = links
    }
}

/// A node in a list.
public struct NodeShort: Codable, Equatable {
    public var name: String
    public var module: String
    public var className: String
    public var sourceFile: String
    public var isArbiter: Bool
    public var methods: [String]

    enum CodingKeys: String, CodingKey {
        case name = "name"
        case module = "module"
        case className = "class_name"
        case sourceFile = "source_file"
        case isArbiter = "is_arbiter"
        case methods = "methods"
    }

    public init(name: String, module: String, className: String, sourceFile: String, isArbiter: Bool, methods: [String]) {
        self.name = name
        self.module = module
        self.className = className
        self.sourceFile = sourceFile
        self.isArbiter = isArbiter
        self.methods = methods
    }
}

/// PageBuild
public struct PageBuild: Codable, Equatable {
    public var items: [Build]
    public var next: String?

    public init(items: [Build], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageDeadLetterTold
public struct PageDeadLetterTold: Codable, Equatable {
    public var items: [DeadLetterTold]
    public var next: String?

    public init(items: [DeadLetterTold], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageEventTold
public struct PageEventTold: Codable, Equatable {
    public var items: [EventTold]
    public var next: String?

    public init(items: [EventTold], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageFact
public struct PageFact: Codable, Equatable {
    public var items: [Fact]
    public var next: String?

    public init(items: [Fact], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageFile
public struct PageFile: Codable, Equatable {
    public var items: [File]
    public var next: String?

    public init(items: [File], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageFindingTold
public struct PageFindingTold: Codable, Equatable {
    public var items: [FindingTold]
    public var next: String?

    public init(items: [FindingTold], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageJournalRecord
public struct PageJournalRecord: Codable, Equatable {
    public var items: [JournalRecord]
    public var next: String?

    public init(items: [JournalRecord], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageJournalTold
public struct PageJournalTold: Codable, Equatable {
    public var items: [JournalTold]
    public var next: String?

    public init(items: [JournalTold], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageMismatchTold
public struct PageMismatchTold: Codable, Equatable {
    public var items: [MismatchTold]
    public var next: String?

    public init(items: [MismatchTold], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageNegotiationShort
public struct PageNegotiationShort: Codable, Equatable {
    public var items: [NegotiationShort]
    public var next: String?

    public init(items: [NegotiationShort], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageNodeShort
public struct PageNodeShort: Codable, Equatable {
    public var items: [NodeShort]
    public var next: String?

    public init(items: [NodeShort], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageQuestion
public struct PageQuestion: Codable, Equatable {
    public var items: [Question]
    public var next: String?

    public init(items: [Question], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageSeatTold
public struct PageSeatTold: Codable, Equatable {
    public var items: [SeatTold]
    public var next: String?

    public init(items: [SeatTold], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageSettingTold
public struct PageSettingTold: Codable, Equatable {
    public var items: [SettingTold]
    public var next: String?

    public init(items: [SettingTold], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageSpanTold
public struct PageSpanTold: Codable, Equatable {
    public var items: [SpanTold]
    public var next: String?

    public init(items: [SpanTold], next: String?) {
        self.items = items
        self.next = next
    }
}

/// PageTeamShort
public struct PageTeamShort: Codable, Equatable {
    public var items: [TeamShort]
    public var next: String?

    public init(items: [TeamShort], next: String?) {
        self.items = items
        self.next = next
    }
}

/// A parameter of a method.
public struct Parameter: Codable, Equatable {
    public var name: String
    public var kind: String
    public var annotation: String?
    public var `default`: String?

    public init(name: String, kind: String, annotation: String?, `default`: String?) {
        self.name = name
        self.kind = kind
        self.annotation = annotation
        self.default = `default`
    }
}

/// The whole project for drawing: cards with ports, and links from field to field.
public struct Picture: Codable, Equatable {
    public var components: [Component]
    public var links: [DataLink]
    public var mismatches: Int
    public var order: [String]

    public init(components: [Component], links: [DataLink], mismatches: Int, order: [String]) {
        self.components = components
        self.links = links
        self.mismatches = mismatches
        self.order = order
    }
}

/// Who may call, publish and hear what in a run. Nodes that no rule is about may do anything.
public struct PolicyTold: Codable, Equatable {
    public var file: String?
    public var rules: [RuleTold]

    public init(file: String?, rules: [RuleTold]) {
        self.file = file
        self.rules = rules
    }
}

/// A field of a contract, with its type in the words of an annotation. `whole`: the type where `type` is cut.
public struct Port: Codable, Equatable {
    public var name: String
    public var type: String
    public var required: Bool
    public var whole: String?

    public init(name: String, type: String, required: Bool, whole: String?) {
        self.name = name
        self.type = type
        self.required = required
        self.whole = whole
    }
}

/// What went wrong, and what to do next (RFC 9457, `application/problem+json`). `path` says where in the body.
public struct Problem: Codable, Equatable {
    public var type: String
    public var title: String
    public var status: Int
    public var detail: String
    public var code: String
    public var path: String?

    public init(type: String, title: String, status: Int, detail: String, code: String, path: String? = nil) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.code = code
        self.path = path
    }
}

/// One reason why a link does not fit, the field that it is about, and a payload that is refused for it.
public struct Proof: Codable, Equatable {
    public var reason: String
    public var path: String
    public var payload: JSONValue

    public init(reason: String, path: String, payload: JSONValue) {
        self.reason = reason
        self.path = path
        self.payload = payload
    }
}

/// A negotiation of proposals, read back.
public struct ProposalLog: Codable, Equatable {
    public var agents: [String]
    public var arbiters: [String]
    public var intent: String?
    public var ended: Ended?
    public var roundsCompleted: Int
    public var totalProposals: Int
    public var committed: Int
    public var rejected: Int
    public var deferred: Int
    public var superseded: Int
    public var commitFailed: Int
    public var withdrawn: Int
    public var dropped: Int
    public var unheard: Int
    public var rounds: [Round]

    enum CodingKeys: String, CodingKey {
        case agents = "agents"
        case arbiters = "arbiters"
        case intent = "intent"
        case ended = "ended"
        case roundsCompleted = "rounds_completed"
        case totalProposals = "total_proposals"
        case committed = "committed"
        case rejected = "rejected"
        case deferred = "deferred"
        case superseded = "superseded"
        case commitFailed = "commit_failed"
        case withdrawn = "withdrawn"
        case dropped = "dropped"
        case unheard = "unheard"
        case rounds = "rounds"
    }

    public init(agents: [String], arbiters: [String], intent: String?, ended: Ended?, roundsCompleted: Int, totalProposals: Int, committed: Int, rejected: Int, deferred: Int, superseded: Int, commitFailed: Int, withdrawn: Int, dropped: Int, unheard: Int, rounds: [Round]) {
        self.agents = agents
        self.arbiters = arbiters
        self.intent = intent
        self.ended = ended
        self.roundsCompleted = roundsCompleted
        self.totalProposals = totalProposals
        self.committed = committed
        self.rejected = rejected
        self.deferred = deferred
        self.superseded = superseded
        self.commitFailed = commitFailed
        self.withdrawn = withdrawn
        self.dropped = dropped
        self.unheard = unheard
        self.rounds = rounds
    }
}

/// A change that a person asks for. It is put to the others as `agent`'s; nobody proposes anything beside it.
public struct ProposalRequest: Codable, Equatable {
    public var agent: String
    public var diff: [[String: JSONValue]]
    public var summary: String?
    public var rationale: String?

    public init(agent: String, diff: [[String: JSONValue]], summary: String? = nil, rationale: String? = nil) {
        self.agent = agent
        self.diff = diff
        self.summary = summary
        self.rationale = rationale
    }
}

/// A proposal, from what was said to what became of it.
public struct ProposalTold: Codable, Equatable {
    public var id: String
    public var proposer: String
    public var type: String?
    public var summary: String
    public var rationale: String
    public var confidence: Double?
    public var affectedAgents: [String]
    public var evaluations: [Evaluation]
    public var outcome: String
    public var filesChanged: [String]
    public var diff: [[String: JSONValue]]
    public var decidedBy: String
    public var why: String
    public var gates: Gates?
    public var arbitration: Arbitration?
    public var answersTo: String?
    public var changes: [SchemaChange]
    public var breaks: [String]
    public var fixes: [String]
    public var left: [LeftLink]
    public var unsent: [String]
    public var neverSent: [String]
    /// The person whose proposal it is, where an agent tabled it for one.
    public var proposedBy: String
    public var approved: Approval?
    public var commitId: String?
    public var committedAt: String?
    public var unifiedDiff: String
    public var undone: TakenBack?
    /// Set where proposals of several builds stand together.
    public var buildId: String?

    enum CodingKeys: String, CodingKey {
        case id = "id"
        case proposer = "proposer"
        case type = "type"
        case summary = "summary"
        case rationale = "rationale"
        case confidence = "confidence"
        case affectedAgents = "affected_agents"
        case evaluations = "evaluations"
        case outcome = "outcome"
        case filesChanged = "files_changed"
        case diff = "diff"
        case decidedBy = "decided_by"
        case why = "why"
        case gates = "gates"
        case arbitration = "arbitration"
        case answersTo = "answers_to"
        case changes = "changes"
        case breaks = "breaks"
        case fixes = "fixes"
        case left = "left"
        case unsent = "unsent"
        case neverSent = "never_sent"
        case proposedBy = "proposed_by"
        case approved = "approved"
        case commitId = "commit_id"
        case committedAt = "committed_at"
        case unifiedDiff = "unified_diff"
        case undone = "undone"
        case buildId = "build_id"
    }

    public init(id: String, proposer: String, type: String?, summary: String, rationale: String, confidence: Double?, affectedAgents: [String], evaluations: [Evaluation], outcome: String, filesChanged: [String], diff: [[String: JSONValue]], decidedBy: String, why: String, gates: Gates?, arbitration: Arbitration?, answersTo: String?, changes: [SchemaChange], breaks: [String], fixes: [String], left: [LeftLink], unsent: [String], neverSent: [String], proposedBy: String, approved: Approval?, commitId: String?, committedAt: String?, unifiedDiff: String, undone: TakenBack?, buildId: String?) {
        self.id = id
        self.proposer = proposer
        self.type = type
        self.summary = summary
        self.rationale = rationale
        self.confidence = confidence
        self.affectedAgents = affectedAgents
        self.evaluations = evaluations
        self.outcome = outcome
        self.filesChanged = filesChanged
        self.diff = diff
        self.decidedBy = decidedBy
        self.why = why
        self.gates = gates
        self.arbitration = arbitration
        self.answersTo = answersTo
        self.changes = changes
        self.breaks = breaks
        self.fixes = fixes
        self.left = left
        self.unsent = unsent
        self.neverSent = neverSent
        self.proposedBy = proposedBy
        self.approved = approved
        self.commitId = commitId
        self.committedAt = committedAt
        self.unifiedDiff = unifiedDiff
        self.undone = undone
        self.buildId = buildId
    }
}

/// The settings that a project may begin with, as a diff of its `pyproject.toml`.
public struct ProposedSettings: Codable, Equatable {
    public var file: String
    public var written: Bool
    public var diff: String

    public init(file: String, written: Bool, diff: String) {
        self.file = file
        self.written = written
        self.diff = diff
    }
}

/// A topic that a node publishes.
public struct PublicationTold: Codable, Equatable {
    public var topic: String
    public var payload: Contract?
    public var method: String?

    public init(topic: String, payload: Contract?, method: String?) {
        self.topic = topic
        self.payload = payload
        self.method = method
    }
}

/// An event to publish.
public struct PublishRequest: Codable, Equatable {
    public var topic: String
    public var payload: [String: JSONValue]?
    public var source: String?

    public init(topic: String, payload: [String: JSONValue]? = nil, source: String? = nil) {
        self.topic = topic
        self.payload = payload
        self.source = source
    }
}

/// The event's id.
public struct Published: Codable, Equatable {
    public var eventId: String

    enum CodingKeys: String, CodingKey {
        case eventId = "event_id"
    }

    public init(eventId: String) {
        self.eventId = eventId
    }
}

/// How many were forgotten.
public struct Purged: Codable, Equatable {
    public var purged: Int

    public init(purged: Int) {
        self.purged = purged
    }
}

/// What waits for a person or a program. `about` is all that is known; `answer_schema` what is taken.
public struct Question: Codable, Equatable {
    public var id: String
    public var to: String
    public var kind: String
    public var about: [String: JSONValue]
    public var answerSchema: [String: JSONValue]
    public var refused: [String]

    enum CodingKeys: String, CodingKey {
        case id = "id"
        case to = "to"
        case kind = "kind"
        case about = "about"
        case answerSchema = "answer_schema"
        case refused = "refused"
    }

    public init(id: String, to: String, kind: String, about: [String: JSONValue], answerSchema: [String: JSONValue], refused: [String]) {
        self.id = id
        self.to = to
        self.kind = kind
        self.about = about
        self.answerSchema = answerSchema
        self.refused = refused
    }
}

/// Why not, and where.
public struct Reason: Codable, Equatable {
    public var kind: String
    public var path: String
    public var message: String

    public init(kind: String, path: String, message: String) {
        self.kind = kind
        self.path = path
        self.message = message
    }
}

/// Nodes that are others now. `paused_s`: how long those took nothing in; what came meanwhile waited.
public struct Reloaded: Codable, Equatable {
    public var changed: [String]
    public var added: [String]
    public var removed: [String]
    /// What was broken and taken all the same.
    public var brokenContracts: [String]
    public var problems: [String]
    public var pausedS: Double
    public var running: BuildRef?
    public var newest: BuildRef?
    /// Sources that were edited since the newest build: a start or a restart runs them as they were built.
    public var edited: [String]

    enum CodingKeys: String, CodingKey {
        case changed = "changed"
        case added = "added"
        case removed = "removed"
        case brokenContracts = "broken_contracts"
        case problems = "problems"
        case pausedS = "paused_s"
        case running = "running"
        case newest = "newest"
        case edited = "edited"
    }

    public init(changed: [String], added: [String], removed: [String], brokenContracts: [String], problems: [String], pausedS: Double, running: BuildRef?, newest: BuildRef?, edited: [String]) {
        self.changed = changed
        self.added = added
        self.removed = removed
        self.brokenContracts = brokenContracts
        self.problems = problems
        self.pausedS = pausedS
        self.running = running
        self.newest = newest
        self.edited = edited
    }
}

/// What to play: everything, or events of these topics. Without `payload_checks` those of the run are taken.
public struct ReplayRequest: Codable, Equatable {
    public var topics: [String]?
    public var payloadChecks: String?
    public var timeoutS: Double?

    enum CodingKeys: String, CodingKey {
        case topics = "topics"
        case payloadChecks = "payload_checks"
        case timeoutS = "timeout_s"
    }

    public init(topics: [String]? = nil, payloadChecks: String? = nil, timeoutS: Double? = nil) {
        self.topics = topics
        self.payloadChecks = payloadChecks
        self.timeoutS = timeoutS
    }
}

/// What a replay did. `followed` came about now from what was played, `consequences` did in the recorded run.
public struct ReplayTold: Codable, Equatable {
    public var events: Int
    public var calls: Int
    public var consequences: Int
    public var followed: Int
    public var skipped: Int
    public var refused: Int
    public var failedCalls: Int
    public var errors: Int
    public var failures: [String]
    /// Deliveries that failed in the recorded run, as far as their dead letters are kept: letters that were retried well or purged are not.
    public var failedThen: [String]
    /// Whether as much followed as in the recorded run, and `failed_then` failed.
    public var isSame: Bool

    enum CodingKeys: String, CodingKey {
        case events = "events"
        case calls = "calls"
        case consequences = "consequences"
        case followed = "followed"
        case skipped = "skipped"
        case refused = "refused"
        case failedCalls = "failed_calls"
        case errors = "errors"
        case failures = "failures"
        case failedThen = "failed_then"
        case isSame = "is_same"
    }

    public init(events: Int, calls: Int, consequences: Int, followed: Int, skipped: Int, refused: Int, failedCalls: Int, errors: Int, failures: [String], failedThen: [String], isSame: Bool) {
        self.events = events
        self.calls = calls
        self.consequences = consequences
        self.followed = followed
        self.skipped = skipped
        self.refused = refused
        self.failedCalls = failedCalls
        self.errors = errors
        self.failures = failures
        self.failedThen = failedThen
        self.isSame = isSame
    }
}

/// Whether it was delivered this time.
public struct Retried: Codable, Equatable {
    public var delivered: Bool

    public init(delivered: Bool) {
        self.delivered = delivered
    }
}

/// How to deliver it. `payload`: in the place of the letter's own; it must fit the contract of its topic.
public struct RetryRequest: Codable, Equatable {
    public var payload: [String: JSONValue]?

    public init(payload: [String: JSONValue]? = nil) {
        self.payload = payload
    }
}

/// A dead letter that was delivered again while this server ran. `changed`: the fields in which its payload then was another than its event's. `at` is in epoch seconds.
public struct RetryTold: Codable, Equatable {
    public var eventId: String
    public var subscriber: String
    public var at: Double
    public var changed: [String]
    public var delivered: Bool

    enum CodingKeys: String, CodingKey {
        case eventId = "event_id"
        case subscriber = "subscriber"
        case at = "at"
        case changed = "changed"
        case delivered = "delivered"
    }

    public init(eventId: String, subscriber: String, at: Double, changed: [String], delivered: Bool) {
        self.eventId = eventId
        self.subscriber = subscriber
        self.at = at
        self.changed = changed
        self.delivered = delivered
    }
}

/// One round.
public struct Round: Codable, Equatable {
    public var round: Int
    public var proposals: [ProposalTold]

    public init(round: Int, proposals: [ProposalTold]) {
        self.round = round
        self.proposals = proposals
    }
}

/// A rule of the policy. Null: it says nothing about that.
public struct RuleTold: Codable, Equatable {
    public var name: String
    public var who: String
    public var call: [String]?
    public var publish: [String]?
    public var hear: [String]?

    public init(name: String, who: String, call: [String]?, publish: [String]?, hear: [String]?) {
        self.name = name
        self.who = who
        self.call = call
        self.publish = publish
        self.hear = hear
    }
}

/// How to take the newest build. With `force` also one that breaks a contract.
public struct RuntimeReload: Codable, Equatable {
    public var force: Bool?

    public init(force: Bool? = nil) {
        self.force = force
    }
}

/// How to start the runtime.
public struct RuntimeStart: Codable, Equatable {
    public var payloadChecks: String?
    /// Keep a journal of the run, to be played back later.
    public var journal: Bool?

    enum CodingKeys: String, CodingKey {
        case payloadChecks = "payload_checks"
        case journal = "journal"
    }

    public init(payloadChecks: String? = nil, journal: Bool? = nil) {
        self.payloadChecks = payloadChecks
        self.journal = journal
    }
}

/// State and counters. Where `running` is not `newest`, a restart takes the newer build.
public struct RuntimeTold: Codable, Equatable {
    public var isRunning: Bool
    public var nodesCount: Int
    public var nodesActive: [String]
    public var nodesBroken: [String: String]
    public var calls: Int
    public var callsFailed: Int
    public var messageBus: BusStats?
    public var running: BuildRef?
    public var newest: BuildRef?
    /// Sources that were edited since the newest build: a start or a restart runs them as they were built.
    public var edited: [String]
    /// What had not returned when the runtime was stopped.
    public var unfinished: [String]

    enum CodingKeys: String, CodingKey {
        case isRunning = "is_running"
        case nodesCount = "nodes_count"
        case nodesActive = "nodes_active"
        case nodesBroken = "nodes_broken"
        case calls = "calls"
        case callsFailed = "calls_failed"
        case messageBus = "message_bus"
        case running = "running"
        case newest = "newest"
        case edited = "edited"
        case unfinished = "unfinished"
    }

    public init(isRunning: Bool, nodesCount: Int, nodesActive: [String], nodesBroken: [String: String], calls: Int, callsFailed: Int, messageBus: BusStats?, running: BuildRef?, newest: BuildRef?, edited: [String], unfinished: [String]) {
        self.isRunning = isRunning
        self.nodesCount = nodesCount
        self.nodesActive = nodesActive
        self.nodesBroken = nodesBroken
        self.calls = calls
        self.callsFailed = callsFailed
        self.messageBus = messageBus
        self.running = running
        self.newest = newest
        self.edited = edited
        self.unfinished = unfinished
    }
}

/// A block of the ledger.
public struct Said: Codable, Equatable {
    public var who: String
    public var kind: String
    public var text: String

    public init(who: String, kind: String, text: String) {
        self.who = who
        self.kind = kind
        self.text = text
    }
}

/// Who sits there now. `key` is told this once, to whoever sat down; the key before opens nothing any more.
public struct SatDown: Codable, Equatable {
    public var table: String
    public var name: String
    public var key: String

    public init(table: String, name: String, key: String) {
        self.table = table
        self.name = name
        self.key = key
    }
}

/// One change of a contract, in words.
public struct SchemaChange: Codable, Equatable {
    public var symbol: String
    public var side: String
    public var kind: String
    public var path: String
    public var breaking: Bool
    public var message: String

    public init(symbol: String, side: String, kind: String, path: String, breaking: Bool, message: String) {
        self.symbol = symbol
        self.side = side
        self.kind = kind
        self.path = path
        self.breaking = breaking
        self.message = message
    }
}

/// A seat as everybody at its table sees it. `free`: nobody has sat there, so an invitation offers it.
public struct SeatAtTable: Codable, Equatable {
    public var name: String
    public var called: String
    public var seated: Bool
    public var free: Bool

    public init(name: String, called: String, seated: Bool, free: Bool) {
        self.name = name
        self.called = called
        self.seated = seated
        self.free = free
    }
}

/// Of which seat the table was told that somebody else sat down there.
public struct SeatDisputed: Codable, Equatable {
    public var table: String
    public var name: String

    public init(table: String, name: String) {
        self.table = table
        self.name = name
    }
}

/// The link opens nothing any more; the questions of that seat are the operator's.
public struct SeatFreed: Codable, Equatable {
    public var table: String
    public var name: String

    public init(table: String, name: String) {
        self.table = table
        self.name = name
    }
}

/// The key of a seat, told this once. Its link is the server's address with `#seat=` and the key.
public struct SeatKey: Codable, Equatable {
    public var name: String
    public var key: String

    public init(name: String, key: String) {
        self.name = name
        self.key = key
    }
}

/// What became of a seat, and when (seconds since 1970).
public struct SeatLine: Codable, Equatable {
    public var name: String
    public var news: String
    public var says: String
    public var at: Double

    public init(name: String, news: String, says: String, at: Double) {
        self.name = name
        self.news = news
        self.says = says
        self.at = at
    }
}

/// A new link: the server's address with `#seat=` and the key. It is told this once; a new one ends it.
public struct SeatLinkMade: Codable, Equatable {
    public var table: String
    public var name: String
    public var key: String

    public init(table: String, name: String, key: String) {
        self.table = table
        self.name = name
        self.key = key
    }
}

/// Whom to give a link. `table`: `build`, `consent/RUN`, `document/NAME` or `team/NAME`.
public struct SeatLinkRequest: Codable, Equatable {
    public var table: String
    public var name: String
    /// It is the seat of whoever opens the table: the others are told to ask them.
    public var opener: Bool?
    /// Its person's name, where a seat may not be written so.
    public var called: String?

    public init(table: String, name: String, opener: Bool? = nil, called: String? = nil) {
        self.table = table
        self.name = name
        self.opener = opener
        self.called = called
    }
}

/// What a seat got and gave. `share`: its gain, of the most that it could gain.
public struct SeatReason: Codable, Equatable {
    public var name: String
    public var share: Double
    public var score: Double
    public var gave: [Trade]
    public var got: [Trade]

    public init(name: String, share: Double, score: Double, gave: [Trade], got: [Trade]) {
        self.name = name
        self.share = share
        self.score = score
        self.gave = gave
        self.got = got
    }
}

/// The name under which to sit.
public struct SeatRequest: Codable, Equatable {
    public var agent: String

    public init(agent: String) {
        self.agent = agent
    }
}

/// A seat that has a link, and how many questions wait for it. What they ask is told to the seat alone. `seated`: somebody has opened the link and sits there.
public struct SeatTold: Codable, Equatable {
    public var id: String
    public var table: String
    public var name: String
    public var called: String
    public var seated: Bool
    public var waiting: Int

    public init(id: String, table: String, name: String, called: String, seated: Bool, waiting: Int) {
        self.id = id
        self.table = table
        self.name = name
        self.called = called
        self.seated = seated
        self.waiting = waiting
    }
}

/// A setting: its value, where that comes from, and what it does. `stated`: somebody set it.
public struct SettingTold: Codable, Equatable {
    public var name: String
    public var value: JSONValue
    public var source: String
    public var stated: Bool
    public var does: String

    public init(name: String, value: JSONValue, source: String, stated: Bool, does: String) {
        self.name = name
        self.value = value
        self.source = source
        self.stated = stated
        self.does = does
    }
}

/// With a link nothing is said. With an invitation: `name`, who one is.
public struct SitDownRequest: Codable, Equatable {
    public var name: String?

    public init(name: String? = nil) {
        self.name = name
    }
}

/// A document to reconcile.
public struct Source: Codable, Equatable {
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// A text that comes in later. `agent` brings it, and has a seat there.
public struct SourceRequest: Codable, Equatable {
    public var agent: String
    public var text: String

    public init(agent: String, text: String) {
        self.agent = agent
        self.text = text
    }
}

/// A document that is to be reconciled.
public struct SourceTold: Codable, Equatable {
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// A call (with an `id` of its own) or one attempt of a handler, and the event or call behind it. `at` is in epoch seconds; `error` is the type of what was raised.
public struct SpanTold: Codable, Equatable {
    public var id: String?
    public var kind: String
    public var name: String
    public var cause: String?
    public var at: Double
    public var tookMs: Double
    public var error: String?

    enum CodingKeys: String, CodingKey {
        case id = "id"
        case kind = "kind"
        case name = "name"
        case cause = "cause"
        case at = "at"
        case tookMs = "took_ms"
        case error = "error"
    }

    public init(id: String?, kind: String, name: String, cause: String?, at: Double, tookMs: Double, error: String?) {
        self.id = id
        self.kind = kind
        self.name = name
        self.cause = cause
        self.at = at
        self.tookMs = tookMs
        self.error = error
    }
}

/// The proposal on the table.
public struct Standing: Codable, Equatable {
    public var number: Int
    public var terms: [Term]
    public var objections: [String: String]

    public init(number: Int, terms: [Term], objections: [String: String]) {
        self.number = number
        self.terms = terms
        self.objections = objections
    }
}

/// What was started. `seats`: the keys of the people of a decision; each answers with its own alone.
public struct Started: Codable, Equatable {
    public var id: String
    public var seats: [SeatKey]

    public init(id: String, seats: [SeatKey]) {
        self.id = id
        self.seats = seats
    }
}

/// What became of one statement of a source. `by`: the issue that decided or dropped it, `final.md` where the document leaves it out; `against`: the places of what it is in conflict with.
public struct StatementFate: Codable, Equatable {
    public var place: String
    public var fate: String
    public var by: String
    public var against: [String]
    public var text: String

    public init(place: String, fate: String, by: String, against: [String], text: String) {
        self.place = place
        self.fate = fate
        self.by = by
        self.against = against
        self.text = text
    }
}

/// One thing that happened. `seq` counts from 1 without a hole; `at` is in epoch seconds; `data` is by `kind`, as the AsyncAPI document says.
public struct StreamMessage: Codable, Equatable {
    public var seq: Int
    public var kind: String
    public var at: Double?
    public var data: [String: JSONValue]

    public init(seq: Int, kind: String, at: Double?, data: [String: JSONValue]) {
        self.seq = seq
        self.kind = kind
        self.at = at
        self.data = data
    }
}

/// Messages in order, and the number to go on from: `after=STREAM:LAST`.
public struct StreamPage: Codable, Equatable {
    public var stream: String
    public var messages: [StreamMessage]
    public var last: Int

    public init(stream: String, messages: [StreamMessage], last: Int) {
        self.stream = stream
        self.messages = messages
        self.last = last
    }
}

/// A topic that a node hears.
public struct SubscriptionTold: Codable, Equatable {
    public var topic: String
    public var handler: String

    public init(topic: String, handler: String) {
        self.topic = topic
        self.handler = handler
    }
}

/// What a node's author wrote of it.
public struct SystemPrompt: Codable, Equatable {
    public var text: String
    public var role: String?
    public var capabilities: [String]

    public init(text: String, role: String?, capabilities: [String]) {
        self.text = text
        self.role = role
        self.capabilities = capabilities
    }
}

/// Who sits at a table, and what became of its seats, oldest first.
public struct TableTold: Codable, Equatable {
    public var table: String
    public var topic: String
    public var seats: [SeatAtTable]
    public var story: [SeatLine]

    public init(table: String, topic: String, seats: [SeatAtTable], story: [SeatLine]) {
        self.table = table
        self.topic = topic
        self.seats = seats
        self.story = story
    }
}

/// When it was taken back.
public struct TakenBack: Codable, Equatable {
    public var at: String?

    public init(at: String?) {
        self.at = at
    }
}

/// What the seat is told, as text, and what it is asked.
public struct TeamAnswer: Codable, Equatable {
    public var seat: String
    public var status: String
    public var text: String
    public var asked: [TeamOverlap]
    public var obstacles: [String]

    public init(seat: String, status: String, text: String, asked: [TeamOverlap], obstacles: [String]) {
        self.seat = seat
        self.status = status
        self.text = text
        self.asked = asked
        self.obstacles = obstacles
    }
}

/// What a seat had said, and did not do when it landed; `to`: who counted on it.
public struct TeamBroken: Codable, Equatable {
    public var seat: String
    public var to: [String]
    public var promise: String

    public init(seat: String, to: [String], promise: String) {
        self.seat = seat
        self.to = to
        self.promise = promise
    }
}

/// A way to settle an overlap, accepted by its hash. `impossible`: why it cannot be taken any more.
public struct TeamChoice: Codable, Equatable {
    public var hash: String
    public var text: String
    public var impossible: String

    public init(hash: String, text: String, impossible: String) {
        self.hash = hash
        self.text = text
        self.impossible = impossible
    }
}

/// Whose branch lands. `auto` runs pytest, `none` nothing.
public struct TeamLandRequest: Codable, Equatable {
    public var seat: String
    public var verify: String?

    public init(seat: String, verify: String? = nil) {
        self.seat = seat
        self.verify = verify
    }
}

/// What landed.
public struct TeamLanded: Codable, Equatable {
    public var seat: String
    public var commit: String
    public var changes: [String]

    public init(seat: String, commit: String, changes: [String]) {
        self.seat = seat
        self.commit = commit
        self.changes = changes
    }
}

/// How a landing ended; `at work`: call again.
public struct TeamLanding: Codable, Equatable {
    public var status: String
    public var commit: String
    public var why: String
    public var notes: [String]

    public init(status: String, commit: String, why: String, notes: [String]) {
        self.status = status
        self.commit = commit
        self.why = why
        self.notes = notes
    }
}

/// What two seats settle about one symbol. `accepted`: the hash that each of them accepted.
public struct TeamOverlap: Codable, Equatable {
    public var id: String
    public var seats: [String]
    public var about: String
    public var topic: String
    public var text: String
    public var status: String
    public var choices: [TeamChoice]
    public var accepted: [String: String]
    public var settled: String
    public var why: String

    public init(id: String, seats: [String], about: String, topic: String, text: String, status: String, choices: [TeamChoice], accepted: [String: String], settled: String, why: String) {
        self.id = id
        self.seats = seats
        self.about = about
        self.topic = topic
        self.text = text
        self.status = status
        self.choices = choices
        self.accepted = accepted
        self.settled = settled
        self.why = why
    }
}

/// A plan, one change of a symbol a line; it takes the place of the one before.
public struct TeamPlanRequest: Codable, Equatable {
    public var seat: String
    public var plan: String

    public init(seat: String, plan: String) {
        self.seat = seat
        self.plan = plan
    }
}

/// A team to begin. `onto`: the branch that all land on, the one that is checked out where it is not said.
public struct TeamRequest: Codable, Equatable {
    public var tasks: [TeamTask]?
    public var onto: String?
    public var leaseS: Double?

    enum CodingKeys: String, CodingKey {
        case tasks = "tasks"
        case onto = "onto"
        case leaseS = "lease_s"
    }

    public init(tasks: [TeamTask]? = nil, onto: String? = nil, leaseS: Double? = nil) {
        self.tasks = tasks
        self.onto = onto
        self.leaseS = leaseS
    }
}

/// The name of a seat; it gets a branch and a working tree of its own.
public struct TeamSeatRequest: Codable, Equatable {
    public var seat: String

    public init(seat: String) {
        self.seat = seat
    }
}

/// Who sits there: `active` with claims, `lapsed` without them, or `left`.
public struct TeamSeatShort: Codable, Equatable {
    public var seat: String
    public var status: String

    public init(seat: String, status: String) {
        self.seat = seat
        self.status = status
    }
}

/// Where the seat works.
public struct TeamSeatTaken: Codable, Equatable {
    public var seat: String
    public var branch: String
    public var worktree: String

    public init(seat: String, branch: String, worktree: String) {
        self.seat = seat
        self.branch = branch
        self.worktree = worktree
    }
}

/// A seat: what it claims, one change a line, and what stands before its landing.
public struct TeamSeatTold: Codable, Equatable {
    public var seat: String
    public var status: String
    public var branch: String
    public var worktree: String
    public var note: String
    public var claims: [String]
    public var obstacles: [String]

    public init(seat: String, status: String, branch: String, worktree: String, note: String, claims: [String], obstacles: [String]) {
        self.seat = seat
        self.status = status
        self.branch = branch
        self.worktree = worktree
        self.note = note
        self.claims = claims
        self.obstacles = obstacles
    }
}

/// Whose branch is brought up to date.
public struct TeamSeatWork: Codable, Equatable {
    public var seat: String

    public init(seat: String) {
        self.seat = seat
    }
}

/// A team in a list. `open`: questions that are not settled.
public struct TeamShort: Codable, Equatable {
    public var id: String
    public var base: String
    public var seats: [TeamSeatShort]
    public var open: Int
    public var landings: Int

    public init(id: String, base: String, seats: [TeamSeatShort], open: Int, landings: Int) {
        self.id = id
        self.base = base
        self.seats = seats
        self.open = open
        self.landings = landings
    }
}

/// The team of this repository.
public struct TeamStarted: Codable, Equatable {
    public var id: String

    public init(id: String) {
        self.id = id
    }
}

/// How a sync ended: `text` says it in words.
public struct TeamSynced: Codable, Equatable {
    public var seat: String
    public var status: String
    public var text: String
    public var conflicts: [String]

    public init(seat: String, status: String, text: String, conflicts: [String]) {
        self.seat = seat
        self.status = status
        self.text = text
        self.conflicts = conflicts
    }
}

/// What is to be done.
public struct TeamTask: Codable, Equatable {
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// A team: who works on what, what overlaps, what landed.
public struct TeamTold: Codable, Equatable {
    public var id: String
    public var base: String
    public var leaseS: Double
    public var tasks: [String]
    public var seats: [TeamSeatTold]
    public var questions: [TeamOverlap]
    public var landings: [TeamLanded]
    public var broken: [TeamBroken]

    enum CodingKeys: String, CodingKey {
        case id = "id"
        case base = "base"
        case leaseS = "lease_s"
        case tasks = "tasks"
        case seats = "seats"
        case questions = "questions"
        case landings = "landings"
        case broken = "broken"
    }

    public init(id: String, base: String, leaseS: Double, tasks: [String], seats: [TeamSeatTold], questions: [TeamOverlap], landings: [TeamLanded], broken: [TeamBroken]) {
        self.id = id
        self.base = base
        self.leaseS = leaseS
        self.tasks = tasks
        self.seats = seats
        self.questions = questions
        self.landings = landings
        self.broken = broken
    }
}

/// Whose turn; `everything`: all, and not only what is new.
public struct TeamTurnRequest: Codable, Equatable {
    public var seat: String
    public var everything: Bool?

    public init(seat: String, everything: Bool? = nil) {
        self.seat = seat
        self.everything = everything
    }
}

/// A whole turn: @plan, @accept, @offer, @tell, @leave. All of it is taken, or nothing.
public struct TeamWords: Codable, Equatable {
    public var seat: String
    public var say: String

    public init(seat: String, say: String) {
        self.seat = seat
        self.say = say
    }
}

/// What holds on an issue; `issue` is null for a line of words.
public struct Term: Codable, Equatable {
    public var issue: String?
    public var says: String

    public init(issue: String?, says: String) {
        self.issue = issue
        self.says = says
    }
}

/// A part of a file, of so many `characters` in all. `next`: the offset to go on at.
public struct Text: Codable, Equatable {
    public var path: String
    public var text: String
    public var characters: Int
    public var next: Int?

    public init(path: String, text: String, characters: Int, next: Int?) {
        self.path = path
        self.text = text
        self.characters = characters
        self.next = next
    }
}

/// A topic that is published, with the fields of its payload.
public struct TopicRow: Codable, Equatable {
    public var topic: String
    public var ports: [Port]

    public init(topic: String, ports: [Port]) {
        self.topic = topic
        self.ports = ports
    }
}

/// An event or a call with what led to it and what followed, oldest first, as far as the history goes.
public struct Trace: Codable, Equatable {
    public var eventId: String
    public var events: [EventTold]
    public var spans: [SpanTold]
    public var deadLetters: [DeadLetterTold]
    public var retries: [RetryTold]

    enum CodingKeys: String, CodingKey {
        case eventId = "event_id"
        case events = "events"
        case spans = "spans"
        case deadLetters = "dead_letters"
        case retries = "retries"
    }

    public init(eventId: String, events: [EventTold], spans: [SpanTold], deadLetters: [DeadLetterTold], retries: [RetryTold]) {
        self.eventId = eventId
        self.events = events
        self.spans = spans
        self.deadLetters = deadLetters
        self.retries = retries
    }
}

/// What an option of an issue is worth to a seat. `liked`: what it would have had instead.
public struct Trade: Codable, Equatable {
    public var issue: String
    public var option: String
    public var points: Double
    public var liked: String?

    public init(issue: String, option: String, points: Double, liked: String?) {
        self.issue = issue
        self.option = option
        self.points = points
        self.liked = liked
    }
}

/// What would become of a diff. `asks` are the nodes that must agree, `why` says for each why; `breaks` and `mends` are links, `left` those that it is about and that do not fit afterwards either. `verdict` says it in a line; `open` are the gates that a proposal meets and this trial did not ask.
public struct Trial: Codable, Equatable {
    public var passes: Bool
    public var verdict: String
    public var open: [Gate]
    public var gate: String?
    public var reason: String
    public var gates: [Gate]
    public var files: [String]
    public var unifiedDiff: String
    public var mends: [String]
    public var breaks: [String]
    public var left: [LeftLink]
    /// What a consumer gets no more, though no link breaks.
    public var unsent: [String]
    /// What is no longer required and nobody sent before either: nothing is lost by it.
    public var neverSent: [String]
    public var asks: [String]
    public var why: [String: String]
    public var notes: [String]

    enum CodingKeys: String, CodingKey {
        case passes = "passes"
        case verdict = "verdict"
        case open = "open"
        case gate = "gate"
        case reason = "reason"
        case gates = "gates"
        case files = "files"
        case unifiedDiff = "unified_diff"
        case mends = "mends"
        case breaks = "breaks"
        case left = "left"
        case unsent = "unsent"
        case neverSent = "never_sent"
        case asks = "asks"
        case why = "why"
        case notes = "notes"
    }

    public init(passes: Bool, verdict: String, open: [Gate], gate: String?, reason: String, gates: [Gate], files: [String], unifiedDiff: String, mends: [String], breaks: [String], left: [LeftLink], unsent: [String], neverSent: [String], asks: [String], why: [String: String], notes: [String]) {
        self.passes = passes
        self.verdict = verdict
        self.open = open
        self.gate = gate
        self.reason = reason
        self.gates = gates
        self.files = files
        self.unifiedDiff = unifiedDiff
        self.mends = mends
        self.breaks = breaks
        self.left = left
        self.unsent = unsent
        self.neverSent = neverSent
        self.asks = asks
        self.why = why
        self.notes = notes
    }
}

/// A structured diff: a list of operations (docs/commit.md). `agent`: who proposes it; else the first one's node. `call_methods`: the changed methods are called, as before a commit; false: a verdict at once that leaves it open. `after`: diffs that are agreed on and not in the files yet: it is tried on top of them.
public struct TryRequest: Codable, Equatable {
    public var callMethods: Bool?
    public var after: [[[String: JSONValue]]]?
    public var agent: String?
    public var diff: [[String: JSONValue]]

    enum CodingKeys: String, CodingKey {
        case callMethods = "call_methods"
        case after = "after"
        case agent = "agent"
        case diff = "diff"
    }

    public init(callMethods: Bool? = nil, after: [[[String: JSONValue]]]? = nil, agent: String? = nil, diff: [[String: JSONValue]]) {
        self.callMethods = callMethods
        self.after = after
        self.agent = agent
        self.diff = diff
    }
}

/// A whole turn: all of it is taken, or nothing. `accepts_final`: the hash of `foreseen`; with it the document that this turn makes is accepted at once, and no other one.
public struct TurnRequest: Codable, Equatable {
    public var agent: String
    public var accepts: [Accept]?
    public var offers: [Words]?
    public var positions: [Words]?
    public var challenges: [Words]?
    public var escalations: [Words]?
    public var issues: [NewIssue]?
    public var acceptsFinal: String?

    enum CodingKeys: String, CodingKey {
        case agent = "agent"
        case accepts = "accepts"
        case offers = "offers"
        case positions = "positions"
        case challenges = "challenges"
        case escalations = "escalations"
        case issues = "issues"
        case acceptsFinal = "accepts_final"
    }

    public init(agent: String, accepts: [Accept]? = nil, offers: [Words]? = nil, positions: [Words]? = nil, challenges: [Words]? = nil, escalations: [Words]? = nil, issues: [NewIssue]? = nil, acceptsFinal: String? = nil) {
        self.agent = agent
        self.accepts = accepts
        self.offers = offers
        self.positions = positions
        self.challenges = challenges
        self.escalations = escalations
        self.issues = issues
        self.acceptsFinal = acceptsFinal
    }
}

/// How it ended: `handed` to the next, or `finished`, where every seat has accepted the document.
public struct TurnTaken: Codable, Equatable {
    public var end: String
    public var leftOut: [String]

    enum CodingKeys: String, CodingKey {
        case end = "end"
        case leftOut = "left_out"
    }

    public init(end: String, leftOut: [String]) {
        self.end = end
        self.leftOut = leftOut
    }
}

/// How to take a commit back. `allow_mismatches`: also where a link no longer fits then.
public struct UndoRequest: Codable, Equatable {
    public var dryRun: Bool?
    public var allowMismatches: Bool?

    enum CodingKeys: String, CodingKey {
        case dryRun = "dry_run"
        case allowMismatches = "allow_mismatches"
    }

    public init(dryRun: Bool? = nil, allowMismatches: Bool? = nil) {
        self.dryRun = dryRun
        self.allowMismatches = allowMismatches
    }
}

/// What became of it. `done` is false after a dry run, and where a gate said no.
public struct Undone: Codable, Equatable {
    public var proposalId: String
    public var done: Bool
    public var passes: Bool
    public var gate: String?
    public var reason: String
    public var gates: [Gate]
    public var files: [String]
    public var unifiedDiff: String
    public var notes: [String]

    enum CodingKeys: String, CodingKey {
        case proposalId = "proposal_id"
        case done = "done"
        case passes = "passes"
        case gate = "gate"
        case reason = "reason"
        case gates = "gates"
        case files = "files"
        case unifiedDiff = "unified_diff"
        case notes = "notes"
    }

    public init(proposalId: String, done: Bool, passes: Bool, gate: String?, reason: String, gates: [Gate], files: [String], unifiedDiff: String, notes: [String]) {
        self.proposalId = proposalId
        self.done = done
        self.passes = passes
        self.gate = gate
        self.reason = reason
        self.gates = gates
        self.files = files
        self.unifiedDiff = unifiedDiff
        self.notes = notes
    }
}

/// Whether everything the producer may send is taken; null: it could not be decided, `reasons` say why.
public struct Verdict: Codable, Equatable {
    public var compatible: Bool?
    public var reasons: [Reason]
    public var counterexample: JSONValue

    public init(compatible: Bool?, reasons: [Reason], counterexample: JSONValue) {
        self.compatible = compatible
        self.reasons = reasons
        self.counterexample = counterexample
    }
}

/// Every proposal that made a symbol what it is, newest first. `damaged`: logs that cannot be read to their end.
public struct WhyTold: Codable, Equatable {
    public var entries: [ProposalTold]
    public var damaged: [NegotiationShort]

    public init(entries: [ProposalTold], damaged: [NegotiationShort]) {
        self.entries = entries
        self.damaged = damaged
    }
}

/// Words on an issue.
public struct Words: Codable, Equatable {
    public var issue: String
    public var text: String

    public init(issue: String, text: String) {
        self.issue = issue
        self.text = text
    }
}

/// Every call. `address` is where the server is, as `http://127.0.0.1:8420`.
public final class GraphBus {
    public let address: String
    public let token: String
    private let session: URLSession

    public init(address: String, token: String, session: URLSession = .shared) {
        self.address = address
        self.token = token
        self.session = session
    }

    /// Messages as they happen; `asyncapi.json` describes them. Give `after` as STREAM:N to miss nothing.
    public func stream(after: String? = nil) -> URLSessionWebSocketTask {
        var components = URLComponents(string: address.replacingOccurrences(of: "http", with: "ws", options: .anchored))!
        components.path = "/api/v1/stream"
        if let after = after {
            components.queryItems = [URLQueryItem(name: "after", value: after)]
        }
        var request = URLRequest(url: components.url!)
        request.setValue("Bearer " + token, forHTTPHeaderField: "Authorization")
        return session.webSocketTask(with: request)
    }

    private func send<Result: Decodable>(
        _ method: String, _ path: String, _ query: [String: String?] = [:], _ body: Data? = nil
    ) async throws -> Result {
        var components = URLComponents(string: address + "/api/v1" + path)!
        let said = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        if !said.isEmpty {
            components.queryItems = said
        }
        var request = URLRequest(url: components.url!)
        request.httpMethod = method
        request.httpBody = body
        request.setValue("Bearer " + token, forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (data, response) = try await session.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status < 400 else {
            throw Refused(problem: try JSONDecoder().decode(Problem.self, from: data))
        }
        return try JSONDecoder().decode(Result.self, from: data)
    }

    private func escaped(_ text: String) -> String {
        return text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }


    /// Whether the server answers.
    public func getHealth() async throws -> Health {
        return try await send("GET", "/health", [:])
    }

    /// The whole project for drawing, laid out: cards with ports, and links from field to field.
    public func getPicture() async throws -> Picture {
        return try await send("GET", "/picture", [:])
    }

    /// Every node, in short.
    public func listNodes(limit: Int? = nil, cursor: String? = nil) async throws -> PageNodeShort {
        return try await send("GET", "/nodes", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// One node: prompt, contracts, topics, subscriptions, source.
    public func getNode(name: String) async throws -> Node {
        return try await send("GET", "/nodes/\(escaped(name))", [:])
    }

    /// Every link that does not fit, with the payload that proves it.
    public func listMismatches(limit: Int? = nil, cursor: String? = nil) async throws -> PageMismatchTold {
        return try await send("GET", "/mismatches", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// Whether everything that the producer may send is taken by the consumer.
    public func checkContracts(body: CheckRequest) async throws -> Verdict {
        return try await send("POST", "/contracts/check", [:], try JSONEncoder().encode(body))
    }

    /// Every proposal that made `Node`, `Node.method` or `Node.method.field` what it is, newest first.
    public func getWhy(symbol: String) async throws -> WhyTold {
        return try await send("GET", "/why/\(escaped(symbol))", [:])
    }

    /// What would become of a change: its diff, the gates, the links that break and mend, who must agree and why. Nothing is written, and nobody is asked.
    public func tryChange(body: TryRequest) async throws -> Trial {
        return try await send("POST", "/try", [:], try JSONEncoder().encode(body))
    }

    /// Take a committed proposal back: its own change and no other, proved like any commit.
    public func undoProposal(proposalId: String, body: UndoRequest?? = nil) async throws -> Undone {
        return try await send("POST", "/proposals/\(escaped(proposalId))/undo", [:], try body.map { try JSONEncoder().encode($0) })
    }

    /// State and counters; which build runs, which is the newest, and which sources were edited since.
    public func getRuntime() async throws -> RuntimeTold {
        return try await send("GET", "/runtime", [:])
    }

    /// Start the runtime on the last build. `edited` names the sources that it runs as they were before an edit.
    public func startRuntime(body: RuntimeStart?? = nil) async throws -> RuntimeTold {
        return try await send("POST", "/runtime/start", [:], try body.map { try JSONEncoder().encode($0) })
    }

    /// Take the newest build while the program runs: nodes whose code changed are drained and swapped, with their state. Without `force` a build that breaks a contract is refused (409 `contract_changed`), with the proof.
    public func reloadRuntime(body: RuntimeReload?? = nil) async throws -> Reloaded {
        return try await send("POST", "/runtime/reload", [:], try body.map { try JSONEncoder().encode($0) })
    }

    /// Stop the runtime; what is under way may finish within its deadline.
    public func stopRuntime() async throws -> RuntimeTold {
        return try await send("POST", "/runtime/stop", [:])
    }

    /// Call a method of a running node.
    public func callNode(name: String, body: CallRequest) async throws -> CallResult {
        return try await send("POST", "/nodes/\(escaped(name))/call", [:], try JSONEncoder().encode(body))
    }

    /// Publish an event.
    public func publishEvent(body: PublishRequest) async throws -> Published {
        return try await send("POST", "/events", [:], try JSONEncoder().encode(body))
    }

    /// Events of the bus, newest first, as many as are kept.
    public func listEvents(limit: Int? = nil, cursor: String? = nil) async throws -> PageEventTold {
        return try await send("GET", "/events", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// Direct calls, newest first, as many as are kept. `/events/{id}/trace` says what followed from one.
    public func listCalls(limit: Int? = nil, cursor: String? = nil) async throws -> PageSpanTold {
        return try await send("GET", "/calls", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// An event, or a call by its id, with what led to it and what followed from it: calls, events, handlers.
    public func getTrace(eventId: String) async throws -> Trace {
        return try await send("GET", "/events/\(escaped(eventId))/trace", [:])
    }

    /// What could not be delivered, and why.
    public func listDeadLetters(limit: Int? = nil, cursor: String? = nil) async throws -> PageDeadLetterTold {
        return try await send("GET", "/dead-letters", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// Forget them all.
    public func purgeDeadLetters() async throws -> Purged {
        return try await send("DELETE", "/dead-letters", [:])
    }

    /// Deliver one again, to the handler that failed; with another payload where one is given.
    public func retryDeadLetter(letterId: String, body: RetryRequest?? = nil) async throws -> Retried {
        return try await send("POST", "/dead-letters/\(escaped(letterId))/retry", [:], try body.map { try JSONEncoder().encode($0) })
    }

    /// Start a build; progress comes over the stream. `resume` goes on with one that was cut off or cancelled.
    public func startBuild(body: BuildRequest?? = nil) async throws -> Build {
        return try await send("POST", "/builds", [:], try body.map { try JSONEncoder().encode($0) })
    }

    /// Builds of this server, newest first.
    public func listBuilds(limit: Int? = nil, cursor: String? = nil) async throws -> PageBuild {
        return try await send("GET", "/builds", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// One build: state, detail, result.
    public func getBuild(buildId: String) async throws -> Build {
        return try await send("GET", "/builds/\(escaped(buildId))", [:])
    }

    /// Stop a build cleanly; what was committed stays, what was answered is kept.
    public func cancelBuild(buildId: String) async throws -> Build {
        return try await send("POST", "/builds/\(escaped(buildId))/cancel", [:])
    }

    /// Start a dry run from a fact: the same intent, on the sources as they stood then. Nothing of yours changes.
    public func forkNegotiation(negotiationId: String, body: ForkRequest) async throws -> Build {
        return try await send("POST", "/negotiations/\(escaped(negotiationId))/forks", [:], try JSONEncoder().encode(body))
    }

    /// Negotiations of all three kinds, newest first within each.
    public func listNegotiations(limit: Int? = nil, cursor: String? = nil, kind: String? = nil) async throws -> PageNegotiationShort {
        return try await send("GET", "/negotiations", ["limit": limit.map { String($0) }, "cursor": cursor, "kind": kind])
    }

    /// One negotiation as it stands, or as it stood after fact number `at`.
    public func getNegotiation(negotiationId: String, at: Int? = nil) async throws -> Negotiation {
        return try await send("GET", "/negotiations/\(escaped(negotiationId))", ["at": at.map { String($0) }])
    }

    /// The project as a build left it, or as it stood after fact number `at`: the same account as `/picture` gives of the project today, from the build's log alone.
    public func getPastPicture(negotiationId: String, at: Int? = nil) async throws -> Picture {
        return try await send("GET", "/negotiations/\(escaped(negotiationId))/picture", ["at": at.map { String($0) }])
    }

    /// Its facts after number `after`, oldest first; `next` is the number to go on after.
    public func listFacts(negotiationId: String, after: Int? = nil, limit: Int? = nil) async throws -> PageFact {
        return try await send("GET", "/negotiations/\(escaped(negotiationId))/facts", ["after": after.map { String($0) }, "limit": limit.map { String($0) }])
    }

    /// Whether the log of a build is as it was written: checksums, head, answers.
    public func verifyNegotiation(negotiationId: String) async throws -> LogVerified {
        return try await send("GET", "/negotiations/\(escaped(negotiationId))/verification", [:])
    }

    /// What waits for whoever asks, each with the JSON Schema of its answer: a seat is told its own questions, the operator those that belong to no seat.
    public func listQuestions(limit: Int? = nil, cursor: String? = nil) async throws -> PageQuestion {
        return try await send("GET", "/questions", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// Answer one of your own. The first answer counts; another seat's question is refused (403 `not_your_seat`).
    public func answerQuestion(questionId: String, body: [String: JSONValue]) async throws -> Done {
        return try await send("POST", "/questions/\(escaped(questionId))/answer", [:], try JSONEncoder().encode(body))
    }

    /// Begin a decision. Each person of `humans` gets a seat of its own, whose questions are answered with its key alone.
    public func startConsent(body: ConsentRequest) async throws -> Started {
        return try await send("POST", "/consents", [:], try JSONEncoder().encode(body))
    }

    /// What stands, what was said, the frontier, and the certificate or the proof. Where preferences are not disclosed, a red line that was stated is shown to its owner alone.
    public func getConsent(consentId: String) async throws -> Consent {
        return try await send("GET", "/consents/\(escaped(consentId))", [:])
    }

    /// Why that deal and no other, how firm the choice is, and with `to_win` what would make another deal win.
    public func getConsentReasons(consentId: String, toWin: String? = nil) async throws -> ConsentReasons {
        return try await send("GET", "/consents/\(escaped(consentId))/reasons", ["to_win": toWin])
    }

    /// Go on with one that was cut off; what was answered is not asked again.
    public func resumeConsent(consentId: String) async throws -> Started {
        return try await send("POST", "/consents/\(escaped(consentId))/resume", [:])
    }

    /// Stop one; it can be resumed.
    public func cancelConsent(consentId: String) async throws -> Started {
        return try await send("POST", "/consents/\(escaped(consentId))/cancel", [:])
    }

    /// The document negotiations that this server shows.
    public func listDocuments(limit: Int? = nil, cursor: String? = nil) async throws -> PageNegotiationShort {
        return try await send("GET", "/documents", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// Open a document negotiation in a directory of its own.
    public func startDocument(body: DocumentRequest) async throws -> Started {
        return try await send("POST", "/documents", [:], try JSONEncoder().encode(body))
    }

    /// The sources, what everybody said on each issue, the final document as far as it is.
    public func getDocument(name: String) async throws -> DocumentTold {
        return try await send("GET", "/documents/\(escaped(name))", [:])
    }

    /// Take a seat, whose turns are taken over this API. One for which a link was made is its person's: 409, and nothing is changed.
    public func takeSeat(name: String, body: SeatRequest) async throws -> DocumentTold {
        return try await send("POST", "/documents/\(escaped(name))/seats", [:], try JSONEncoder().encode(body))
    }

    /// Bring a text to the table, as long as nothing was said there; it is named after who brings it.
    public func bringSource(name: String, body: SourceRequest) async throws -> DocumentTold {
        return try await send("POST", "/documents/\(escaped(name))/sources", [:], try JSONEncoder().encode(body))
    }

    /// A whole turn at once: all of it is taken, or nothing, with every reason why.
    public func takeTurn(name: String, body: TurnRequest) async throws -> TurnTaken {
        return try await send("POST", "/documents/\(escaped(name))/turns", [:], try JSONEncoder().encode(body))
    }

    /// The team of this repository; an empty list where there is none.
    public func listTeams(limit: Int? = nil, cursor: String? = nil) async throws -> PageTeamShort {
        return try await send("GET", "/teams", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// Begin a team of coding agents in this repository.
    public func startTeam(body: TeamRequest) async throws -> TeamStarted {
        return try await send("POST", "/teams", [:], try JSONEncoder().encode(body))
    }

    /// Who works on what, what overlaps, what landed. A seat is shown its own questions.
    public func getTeam(teamId: String) async throws -> TeamTold {
        return try await send("GET", "/teams/\(escaped(teamId))", [:])
    }

    /// Take a seat, with a branch and a working tree of its own.
    public func joinTeam(teamId: String, body: TeamSeatRequest) async throws -> TeamSeatTaken {
        return try await send("POST", "/teams/\(escaped(teamId))/seats", [:], try JSONEncoder().encode(body))
    }

    /// What is new for a seat, what it is asked, what comes next.
    public func takeTeamTurn(teamId: String, body: TeamTurnRequest) async throws -> TeamAnswer {
        return try await send("POST", "/teams/\(escaped(teamId))/turns", [:], try JSONEncoder().encode(body))
    }

    /// Say what a seat will change; hear who uses it, what breaks, who else is there.
    public func planInTeam(teamId: String, body: TeamPlanRequest) async throws -> TeamAnswer {
        return try await send("POST", "/teams/\(escaped(teamId))/plans", [:], try JSONEncoder().encode(body))
    }

    /// Say a whole turn: all of it is taken, or nothing.
    public func sayInTeam(teamId: String, body: TeamWords) async throws -> TeamAnswer {
        return try await send("POST", "/teams/\(escaped(teamId))/words", [:], try JSONEncoder().encode(body))
    }

    /// Bring a seat's branch up to date; what is not committed is put back.
    public func syncInTeam(teamId: String, body: TeamSeatWork) async throws -> TeamSynced {
        return try await send("POST", "/teams/\(escaped(teamId))/syncs", [:], try JSONEncoder().encode(body))
    }

    /// Land a seat's branch. Refused while a question with another seat is open, or a gate refuses.
    public func landInTeam(teamId: String, body: TeamLandRequest) async throws -> TeamLanding {
        return try await send("POST", "/teams/\(escaped(teamId))/landings", [:], try JSONEncoder().encode(body))
    }

    /// The files that may be read: what git tracks, and neither what it ignores nor `.env*` nor keys.
    public func mapProject(limit: Int? = nil, cursor: String? = nil) async throws -> PageFile {
        return try await send("GET", "/map", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// The text of one of them, in parts. A provider's key in it is blotted out.
    public func readFile(path: String, offset: Int? = nil) async throws -> Text {
        return try await send("GET", "/files/\(escaped(path))", ["offset": offset.map { String($0) }])
    }

    /// Claim the oldest open question that is yours, of one agent or of anybody. `question` is null where none is open.
    public func claimQuestion(body: ClaimRequest?? = nil) async throws -> Claim {
        return try await send("POST", "/claims", [:], try body.map { try JSONEncoder().encode($0) })
    }

    /// Ask for more time: the lease runs again from now, for as long as it was claimed for.
    public func renewClaim(lease: String) async throws -> Claim {
        return try await send("POST", "/claims/\(escaped(lease))/renew", [:])
    }

    /// Answer the claimed question. What is not an answer is refused with the reason, and the lease goes on.
    public func answerClaim(lease: String, body: [String: JSONValue]) async throws -> Done {
        return try await send("POST", "/claims/\(escaped(lease))/answer", [:], try JSONEncoder().encode(body))
    }

    /// Give the question back, for another to claim.
    public func releaseClaim(lease: String) async throws -> Done {
        return try await send("DELETE", "/claims/\(escaped(lease))", [:])
    }

    /// The seats that have a link, and for how many questions each is waited.
    public func listSeats(limit: Int? = nil, cursor: String? = nil) async throws -> PageSeatTold {
        return try await send("GET", "/seats", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// Give out a link to a seat. From now on its questions are answered with this key alone. Where somebody sat there already, their session ends, and the table is told.
    public func giveSeatLink(body: SeatLinkRequest) async throws -> SeatLinkMade {
        return try await send("POST", "/seats", [:], try JSONEncoder().encode(body))
    }

    /// One link for a whole table: whoever opens it says who they are, among those who have not sat down yet.
    public func inviteToTable(body: InvitationRequest) async throws -> Invitation {
        return try await send("POST", "/invitations", [:], try JSONEncoder().encode(body))
    }

    /// Tell the table that the right person sits there, after somebody said otherwise. `seat_id` is the seat's `id`.
    public func settleDispute(seatId: String) async throws -> SeatDisputed {
        return try await send("DELETE", "/disputes/\(escaped(seatId))", [:])
    }

    /// End a link. `seat_id` is the seat's `id`.
    public func endSeatLink(seatId: String) async throws -> SeatFreed {
        return try await send("DELETE", "/seats/\(escaped(seatId))", [:])
    }

    /// Who asks: the operator, a seat by its name, or somebody with an invitation.
    public func getMe() async throws -> Me {
        return try await send("GET", "/me", [:])
    }

    /// Sit down with a link, or with an invitation and a name: its key is exchanged for one that only whoever asks has. Of two at once one sits down.
    public func sitDown(body: SitDownRequest?? = nil) async throws -> SatDown {
        return try await send("POST", "/sessions", [:], try body.map { try JSONEncoder().encode($0) })
    }

    /// A link to go on with elsewhere, for whoever sits there. This key goes on until that link is opened.
    public func moveSeat() async throws -> SeatLinkMade {
        return try await send("POST", "/links", [:])
    }

    /// Tell the table that somebody else sat down. It takes the link that is refused as `seat_taken`, or the invitation and one's name. It changes nothing of the seat: whoever opened the table makes a new link, or does not.
    public func disputeSeat(body: DisputeRequest?? = nil) async throws -> SeatDisputed {
        return try await send("POST", "/disputes", [:], try body.map { try JSONEncoder().encode($0) })
    }

    /// Who sits at a table, and what became of its seats. Everybody there is told the same.
    public func getTable(of: String? = nil) async throws -> TableTold {
        return try await send("GET", "/table", ["of": of])
    }

    /// The last build as AsyncAPI 3, OpenAPI 3.1, Mermaid or DOT.
    public func exportBuild(form: String) async throws -> Exported {
        return try await send("GET", "/exports/\(escaped(form))", [:])
    }

    /// What the project's code says of itself, without agents: who gives what to whom, and what cannot fit. Nothing of it runs.
    public func inferProject() async throws -> Inferred {
        return try await send("GET", "/inferred", [:])
    }

    /// What `graphbus validate` counts in the project as it stands: links that do not fit, and all else.
    public func listFindings(limit: Int? = nil, cursor: String? = nil) async throws -> PageFindingTold {
        return try await send("GET", "/findings", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// Every setting of `[tool.graphbus]`: what holds, and where it comes from.
    public func listSettings(limit: Int? = nil, cursor: String? = nil) async throws -> PageSettingTold {
        return try await send("GET", "/settings", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// The settings that a project without any may begin with, as a diff. Nothing is written.
    public func proposeSettings() async throws -> ProposedSettings {
        return try await send("GET", "/settings/proposed", [:])
    }

    /// Write them. What stands there is not changed.
    public func writeSettings() async throws -> ProposedSettings {
        return try await send("POST", "/settings/proposed", [:])
    }

    /// Who may call, publish and hear what in a run.
    public func getPolicy() async throws -> PolicyTold {
        return try await send("GET", "/policy", [:])
    }

    /// Whether the policy lets a node do that: `what` is a `Node.method` or a topic.
    public func checkPolicy(who: String? = nil, verb: String? = nil, what: String? = nil) async throws -> MayTold {
        return try await send("GET", "/policy/check", ["who": who, "verb": verb, "what": what])
    }

    /// Journals of runs, newest first.
    public func listJournals(limit: Int? = nil, cursor: String? = nil) async throws -> PageJournalTold {
        return try await send("GET", "/journals", ["limit": limit.map { String($0) }, "cursor": cursor])
    }

    /// What happened in that run, oldest first: events and calls, under what caused them.
    public func listJournalRecords(journalId: String, limit: Int? = nil, cursor: String? = nil, topic: String? = nil) async throws -> PageJournalRecord {
        return try await send("GET", "/journals/\(escaped(journalId))", ["limit": limit.map { String($0) }, "cursor": cursor, "topic": topic])
    }

    /// Do again, on the newest build and in a process of its own, what came from outside in that run. The program that runs here does not notice.
    public func replayJournal(journalId: String, body: ReplayRequest?? = nil) async throws -> ReplayTold {
        return try await send("POST", "/journals/\(escaped(journalId))/replay", [:], try body.map { try JSONEncoder().encode($0) })
    }

    /// Messages after number `after`, for those who would rather ask than listen. A WebSocket on this address sends the same as they happen; `asyncapi.json` describes it.
    public func listMessages(after: String? = nil, limit: Int? = nil) async throws -> StreamPage {
        return try await send("GET", "/stream", ["after": after, "limit": limit.map { String($0) }])
    }
}
