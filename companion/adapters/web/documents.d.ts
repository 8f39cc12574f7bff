// What goes over the wire, as types for the pages' JavaScript. Read by the compiler in `make types`, by no browser.
// README.md says what each field means; `companion/screens/web*.py` and `messages.py` make and read these documents.
// A test has the compiler compare real documents of a box with what is written here.

export type Colour = "red" | "yellow" | "green" | "blue" | "purple";
/** A hand card, in the words of the game. */
export type Role = string;
/** Which of a seat's four buttons. */
export type Position = "first" | "second" | "third" | "fourth";
/** A card's name, in the words of the game: "buffalo", "red hunter". */
export type Card = string;
/** A player's button, "red hunter", or the knob's push. */
export type Button = string;
/** The key of a policy: `/api/dead-heats` gives them all. */
export type DeadHeat = string;
export type Phase = "offer" | "lobby" | "idle" | "race" | "choosing" | "results" | "question" | "final";
export type RaceStatus = "provisional" | "closed" | "saving" | "final" | "not recorded";
export type Verdict = "claim" | "punish";

// -- the state document -----------------------------------------------------------------------------------------------

export type State = StateWithoutMatch | StateBeforeRaces | StateWithRace;
export type StateWithMatch = StateBeforeRaces | StateWithRace;

interface Always {
  seq: number;
  box: string;
  simulated: boolean;
  phase: Phase;
  alarms: string[];
  notice: string | null;
  recorded: boolean;
  roles: Role[];
  seats: Seat[];
  score_label: string;
  turn: Colour | null;
  hidden: number | null;
  leaders: Colour[];
  table: CardCount[];
  claims: Claim[];
  decision: Decision | null;
  cards: EntryCard[];
  can: Can;
  menu: Menu | null;
  question: Question | null;
  held: boolean;
  lobby: Lobby | null;
  course: CourseEntry[];
  course_total: number;
  phones: Phone[];
  lines: string[];
}

export interface StateWithoutMatch extends Always {
  game: null;
  match: null;
  race: null;
}

export interface StateBeforeRaces extends Always {
  game: GameName;
  match: MatchNow;
  race: null;
}

export interface StateWithRace extends Always {
  game: GameName;
  match: MatchNow;
  race: Race;
}

export interface GameName {
  name: string;
  title: string;
  race_name: string;
}

export interface MatchNow {
  id: number | null;
  lines: number;
  variants: Variant[];
  dead_heat: DeadHeat;
  window_ms: number;
  over: boolean;
}

/** What may decide a dead heat. */
export interface Policy {
  says: string;
  key: DeadHeat;
  label: string;
}

export interface Variant {
  key: string;
  label: string;
}

export interface Seat {
  colour: Colour;
  short: string;
  name: string | null;
  allowance_ms: number;
  score: number;
  turn: boolean;
  pressed: Role | null;
}

export interface CardCount {
  card: Card;
  count: number;
}

export interface Claim {
  says: string;
  cards: CardCount[];
  by: Card[];
}

export interface Race {
  number: number;
  status: RaceStatus;
  status_text: string;
  is_running: boolean;
  card: Card | null;
  asks_card: boolean;
  closes_in_ms: number | null;
  rows: Row[];
  late: { colour: Colour; role: Role }[];
  turns: Turn[];
}

export interface Row {
  place: number;
  colour: Colour;
  short: string;
  role: Role;
  gap_ns: number;
  error_ns: number;
  gap_text: string;
  dead_heat: boolean;
  verdict: Verdict | null;
  why: string | null;
  why_text: string | null;
  says: string;
}

export interface Turn {
  colour: Colour;
  role: Role;
  result: "claimed" | "punished" | "nothing";
  take: string | null;
  cards: Card[];
  tribute: Partial<Record<Colour, number>>;
  says: string;
}

export interface Decision {
  kind: string;
  seat: Colour | null;
  prompt: string;
  options: Option[];
  number: { low: number; high: number } | null;
}

export interface Option {
  key: string;
  label: string;
  group: string;
  group_label: string;
  button: Button | null;
  also: Button[];
}

export interface EntryCard {
  card: Card;
  keys: string;
  button: Button | null;
}

export interface Can {
  reveal: boolean;
  close: boolean;
  no_card: string | null;
  end: boolean;
  leave: boolean;
  was_play: boolean;
  resume: boolean;
  new_match: boolean;
  undo: { line: number; says: string } | null;
}

export interface Menu {
  title: string;
  cursor: number;
  items: { label: string; value: string; role: Role | null; button: Button | null }[];
}

export interface Question {
  title: string;
  lines: string[];
}

export interface Lobby {
  game: string;
  seats: Colour[];
  first: Colour | null;
  variants: string[];
  dead_heat: DeadHeat;
  window_ms: number;
  names: Partial<Record<Colour, string>>;
  allowances_ms: Partial<Record<Colour, number>>;
}

export interface CourseEntry {
  line: number;
  type: LineType;
  says: string[];
  undone: boolean;
  undone_by: number | null;
  wall: string | null;
}

export interface Phone {
  code: string;
  asks: Colour | null;
  seat: Colour | null;
  connected: boolean;
  error_ms: number | null;
  delay_ms: number;
}

// -- the record, and a replacement ------------------------------------------------------------------------------------

export type LineType =
  | "setup" | "reveal" | "press" | "close" | "judge" | "claim" | "end" | "remark" | "undo";

/** A line as the record has it: its fields are those of its type. */
export interface Content {
  type: LineType;
  [field: string]: unknown;
}

export interface RecordDocument {
  match: number | null;
  seen: number;
  lines: RecordLine[];
}

export interface RecordLine {
  line: number;
  says: string;
  content: Content;
}

/** What stands in the place of a line; nothing takes the line out. */
export interface Change {
  line: number;
  with: Content[];
}

export type Fate = "out" | "new" | "same" | "changed" | "misfit";

export interface Retold {
  line: number;
  says: string;
  state: Fate;
  before: string[];
  after: string[];
  message?: string;
}

export interface Preview {
  seen: number;
  lines: Retold[];
  outcome: { before: string[]; after: string[] };
  misfits: number;
  changed: number;
  then: { decision: Decision | null };
}

// -- other documents --------------------------------------------------------------------------------------------------

export interface Session {
  referee: boolean;
  simulated: boolean;
  demo: boolean;
  version: string;
}

export interface Link {
  urls: string[];
  lan: boolean;
}

export interface Game extends GameName {
  min_seats: number;
  max_seats: number;
  variants: Variant[];
}

export interface ListedMatch {
  id: number;
  game: string;
  title: string;
  started: string;
  ended: boolean;
  seats: { colour: Colour; name?: string; allowance_ms?: number }[];
  lines: number;
}

/** A past match; one whose first lines cannot be judged has nothing but what is listed, and its fault. */
export type PastMatch = ToldMatch | UntoldMatch;

interface UntoldMatch extends Omit<ListedMatch, "seats" | "lines"> {
  fault: string | null;
  lines?: number;
  seats: never[];
  course: never[];
  races: never[];
  variants?: never;
  scores?: never;
}

export interface ToldMatch extends Omit<ListedMatch, "seats" | "lines"> {
  fault: string | null;
  lines?: number;
  over: boolean;
  seats: { colour: Colour; short: string; name: string | null }[];
  variants: Variant[];
  score_label: string;
  scores: { colour: Colour; score: number }[];
  leaders: Colour[];
  outcome: string[];
  course: CourseEntry[];
  races: PastRace[];
}

export interface PastRace {
  number: number;
  card: Card | null;
  revealed: boolean;
  presses: PastPress[];
}

export interface PastPress {
  place: number;
  colour: Colour;
  role: Role;
  reaction_ns: number | null;
  error_ns: number;
  gap_ns: number;
  dead_heat: boolean;
  verdict: Verdict | null;
}

// -- requests ---------------------------------------------------------------------------------------------------------

export interface Refusal {
  error: { code: string; message: string };
}

/** A command was carried out. */
export interface Done {
  ok: true;
  seq: number;
  says: string;
  preview?: Preview;
}

/** What each address answers to GET. */
export interface Documents {
  "/api/session": Session;
  "/api/link": Link;
  "/api/state": State;
  "/api/course": { match: number | null; entries: CourseEntry[] };
  "/api/games": Game[];
  "/api/dead-heats": Policy[];
  "/api/record": RecordDocument;
  "/api/matches": ListedMatch[];
  [match: `/api/matches/${string}`]: PastMatch;
}

interface Seen {
  /** `state.match.lines` as the page showed it. */
  seen?: number | undefined;
}

/** What a referee may ask for: the body of each POST that is answered by `Done`. */
export interface Commands {
  "/api/match": NewMatch;
  "/api/reveal": Seen & { card: Card };
  "/api/no-card": Seen;
  "/api/close": Seen;
  "/api/choose": Seen & ({ option: string } | { number: number });
  "/api/was-play": Seen;
  "/api/undo": { reason: string; by: string; line: number };
  "/api/replace": { changes: Change[]; reason: string; by: string; seen: number };
  "/api/end": Seen;
  "/api/leave": Empty;
  "/api/resume": { resume: boolean };
  "/api/remark": { text: string; by?: string };
  "/api/demo": Empty;
  [phone: `/api/phones/${string}`]: { seat: Colour | null };
}

export type Empty = Record<string, never>;

export interface NewMatch {
  game?: string;
  seats: { colour: Colour; name?: string; allowance_ms?: number }[];
  first?: Colour;
  variants?: string[];
  dead_heat?: DeadHeat;
  window_ms?: number;
  abandon?: boolean;
}

/** The body of every POST. */
export interface Bodies extends Commands {
  "/api/session": { pin: string };
  "/api/replace/preview": Seen & { changes: Change[] };
}

/** What every POST is answered by. */
export interface Answers extends Record<keyof Commands, Done> {
  "/api/session": Session;
  "/api/replace/preview": Preview;
}

// -- the WebSocket ----------------------------------------------------------------------------------------------------

export type Tone = "accepted" | "ignored" | "punished" | "your choice" | "refused";
export type By = "touch" | "mouse" | "key";

export interface Hello {
  type: "hello";
  box: string;
  seq: number;
  resumed: boolean;
  referee: boolean;
  simulated: boolean;
}

export interface StateMessage {
  type: "state";
  state: State;
}

export interface EventMessage {
  type: "event";
  seq: number;
  match: number | null;
  line: number;
  content: Content;
  rulings: { type: string; [field: string]: unknown }[];
  says: string[];
}

export interface OledMessage {
  type: "oled";
  width: number;
  height: number;
  bits: string;
}

export interface SoundMessage {
  type: "sound";
  tone: Tone;
}

export interface Sync {
  type: "sync";
  id: number;
}

export interface PanelMessage {
  type: "panel";
  client: string;
  code: string;
  buttons: Button[];
  seat: Colour | null;
  asks: Colour | null;
  error_ms: number | null;
  delay_ms: number;
  ready: boolean;
  next: number;
}

export interface Pressed {
  type: "pressed";
  n: number;
  taken: boolean;
  error_ms: number | null;
  why: string | null;
}

export interface Pong {
  type: "pong";
}

export interface ErrorMessage {
  type: "error";
  code: string;
  message: string;
}

export type FromBox =
  | Hello | StateMessage | EventMessage | OledMessage | SoundMessage | Sync | PanelMessage | Pressed | Pong
  | ErrorMessage;

export type PanelInput =
  | { type: "press" | "release"; button: Button; t_us: number; by: By }
  | { type: "turn"; steps: number; t_us: number; by: By };
/** An input with its number among those of its panel. */
export type Numbered = PanelInput & { n: number };

export type ToBox =
  | { type: "ping" }
  | { type: "watch"; oled: boolean }
  | { type: "panel"; client?: string; asks?: Colour }
  | { type: "sync"; id: number; t_us: number }
  | Numbered;
