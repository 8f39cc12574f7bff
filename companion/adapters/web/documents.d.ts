// What goes over the wire, as types for the pages' JavaScript. Read by the compiler in `make types`, by no browser.
// README.md says what each field means; `companion/screens/web/` and `messages.py` make and read these documents.
// A test has the compiler compare real documents of a box with what is written here.

export type Colour = "red" | "yellow" | "green" | "blue" | "purple";
/** A seat's button, in the words of the game. */
export type Role = string;
/** Which of a seat's four buttons. */
export type Position = "first" | "second" | "third" | "fourth";
/** A card's name, in the words of the game. */
export type Card = string;
/** A player's button, "red fourth", or the knob's push. */
export type Button = string;
/** The key of a policy: `/api/dead-heats` gives them all. */
export type DeadHeat = string;
/** Whether presses are raced, or cards are laid face down and shown together. */
export type Timing = "race" | "untimed";
export type Phase = "offer" | "lobby" | "idle" | "race" | "choosing" | "results" | "question" | "final"
  | "calibrating";
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
  buttons: ButtonFace[];
  seats: Seat[];
  score_label: string;
  turn: Colour | null;
  hidden: number | null;
  leaders: Colour[];
  table: CardCount[];
  claims: Claim[];
  game_phase: string;
  round: number | null;
  areas: Area[];
  clocks: Clock[];
  offers: Offer[];
  adjustable: Adjustable[];
  ledgers: Ledger[];
  cards: EntryCard[];
  protests: Protest[];
  signed: Colour[];
  can: Can;
  now: Now;
  spoken: Spoken[];
  menu: Menu | null;
  question: Question | null;
  calibration: Calibration | null;
  held: boolean;
  waits: Waits;
  /** What there is to say in simple words, the most urgent first. */
  facts: Fact[];
  shows: Shows;
  lobby: Lobby | null;
  course: CourseEntry[];
  course_total: number;
  phones: Phone[];
  door_open: boolean;
  lines: string[];
}

export type CalibrationStep = "begin" | "anew" | "go on" | "pause" | "leave" | "seat leaves" | "plays";

/** An allowance that is being measured. asks: the card to press now, place: of its button. kept: trials from before. */
export interface Calibration {
  player: Colour;
  stage: "told" | "trying" | "paused" | "proposed";
  title: string;
  lines: string[];
  asks: string | null;
  place: number | null;
  is_any: boolean;
  wanted: number;
  kept: number;
  seats: CalibrationSeat[];
  proposal: CalibrationProposal | null;
  missing: Colour[];
}

/** A seat's trials. apart: what was not counted, in words. became: what became of this trial, "" while it runs. */
export interface CalibrationSeat {
  colour: Colour;
  short: string;
  name: string | null;
  way: "choice" | "switch" | "spoken";
  times_ms: number[];
  median_ms: number | null;
  apart: string;
  became: string;
}

export interface CalibrationProposal {
  ms: number;
  difference_ms: number;
  low_ms: number;
  high_ms: number;
  trials: number;
  is_low: boolean;
  says: string[];
}

export interface StateWithoutMatch extends Always {
  game: null;
  match: null;
  race: null;
}

export interface StateBeforeRaces extends Always {
  game: PlayedGame;
  match: MatchNow;
  race: null;
}

export interface StateWithRace extends Always {
  game: PlayedGame;
  match: MatchNow;
  race: Race;
}

export interface GameName {
  name: string;
  title: string;
  race_name: string;
}

/** look: stands for the name where one asks how the game's things look; a match may bring a file that says. */
export interface PlayedGame extends GameName {
  look: string;
}

export interface MatchNow {
  id: number | null;
  lines: number;
  variants: Variant[];
  dead_heat: DeadHeat;
  window_ms: number;
  over: boolean;
  practice: boolean;
  timing: Timing;
}

export type Urgency = "chatter" | "news" | "choice" | "ruling" | "alarm" | "start";

/** Something that holds now, to be said once: when its key was not in the state before. */
export interface Spoken {
  key: string;
  says: string;
  urgency: Urgency;
}

/** What the box waits for, in a sentence for the referee; `countdown`: stands where a race does not close itself. */
export interface Waits {
  says: string;
  countdown: string;
}

/** What may decide a dead heat. */
export interface Policy {
  says: string;
  by_time: boolean;
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
  title: string | null;
  allowance_ms: number;
  score: number;
  turn: boolean;
  pressed: Role | null;
}

/** Equal cards: `says` is their number and name for people. */
export interface CardCount {
  card: Card;
  count: number;
  says: string;
}

/** What a seat's button is called and drawn as now; without a symbol it has dots. */
export interface ButtonFace {
  label: string;
  symbol: string | null;
}

/** A part of the board or table that has a name. */
export interface Area {
  name: string;
  cells: { text: string; owner: Colour | null }[];
  note: string;
}

/** An account as a table: `columns` are the headings after the first, which is the rows' own. */
export interface Ledger {
  key: string;
  title: string;
  columns: string[];
  rows: { label: string; owner: Colour | null; values: string[] }[];
  note: string;
}

export interface Clock {
  label: string;
  seat: Colour | null;
  /** Below 0 where more than all has been spent. */
  left_ms: number;
  left_text: string;
  is_running: boolean;
  /** It stands still so long yet. */
  held_ms: number;
  /** So much is spent in so much that passes; fewer than 0: it receives. */
  pace: [number, number];
  /** The place in the order in which times ran out. */
  flag: number | null;
  /** From there on little is left; 0: never. */
  low_ms: number;
}

export interface Claim {
  says: string;
  cards: CardCount[];
  by: string[];
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
  disputed: Colour[];
  unsettled: Colour[];
  made: Colour[];
  hidden_for: Colour[];
  /** Who plays no card, where cards are laid face down; null where presses are raced. */
  without: Colour[] | null;
  late: { colour: Colour; role: Role; role_says: string }[];
  turns: Turn[];
  explained: Explained[];
}

/** A short sentence; `knob`: a push of the box's knob picks this, or with a `seat`, which scans, a press of it. */
export interface Fact {
  says: string;
  seat: Colour | null;
  knob: boolean;
}

/** How the box is set to show things; `controls_ms`: null where they stay. */
export interface Shows {
  simple: boolean;
  controls_ms: number | null;
}

/** Why a race was ruled so for one seat, in a practice match; `rule`: where its rules say so. */
export interface Explained {
  colour: Colour;
  says: string[];
  rule: { says: string; more: string } | null;
}

/** A seat disputes a race; `answer` is null while it waits for the referee's. */
export interface Protest {
  line: number;
  colour: Colour;
  race: number | null;
  says: string;
  answer: { says: string; text: string; stands: boolean; by: string | null } | null;
}

export interface Row {
  place: number;
  colour: Colour;
  short: string;
  role: Role;
  /** The same for people. */
  role_says: string;
  gap_ns: number;
  error_ns: number;
  gap_text: string;
  error_text: string;
  allowance_text: string | null;
  dead_heat: boolean;
  anticipated: boolean;
  verdict: Verdict | null;
  why: string | null;
  why_text: string | null;
  says: string;
}

export interface Turn {
  colour: Colour;
  role: Role;
  /** The same for people. */
  role_says: string;
  result: "claimed" | "punished" | "nothing";
  lead: string;
  cards: Card[];
  counted: CardCount[];
  note: string;
  says: string;
}

/** Somebody may (`required`: must) decide something now; of a private one everybody learns no more than that. */
export interface Offer {
  kind: string;
  seat: Colour | null;
  prompt: string;
  required: boolean;
  private: boolean;
  /** Its seat's own buttons pick it by one press, whatever is on the display. */
  at_once: boolean;
  options: Option[];
  number: { low: number; high: number } | null;
  chance: { outcomes: string[]; count: number } | null;
  stepped: boolean;
  /** To be read out: who must choose between what; which button picks each, as long as buttons do. */
  says: string;
  by_buttons: string;
}

/** What the referee may set by hand; `group`: the word that it shares with others, where there are many. */
export interface Adjustable {
  key: string;
  label: string;
  low: number;
  high: number;
  value: number;
  group: string;
}

/** The next field of a choice of many fields; `done`: it is complete, and `says` what it comes to. */
export interface NextStep {
  done: boolean;
  prompt: string;
  values: { key: string; label: string }[];
  says: string;
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
  another: boolean;
  for_new_card: { line: number; says: string }[];
  /** Whether something is shown until somebody dismisses it. */
  dismiss: boolean;
  /** Who may say that they play no card this time. */
  none: Colour[];
  protest: Colour[];
  sign: Colour[];
  resume: boolean;
  new_match: boolean;
  undo: { line: number; says: string } | null;
  explain: { line: number; says: string }[];
}

export interface Menu {
  title: string;
  cursor: number;
  items: { label: string; value: string; role: Role | null; button: Button | null }[];
}

export interface Question {
  title: string;
  lines: string[];
  missing: Colour[];
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
  parameters: Record<string, Setting>;
  files: Record<string, string>;
  practice: boolean;
  /** The seats whose person plays by a profile of their own. */
  by_profile: Colour[];
  timing: Timing;
  /** Why to play without times, as somebody could not play a race; null where nothing is proposed. */
  why_untimed: string | null;
}

export interface CourseEntry {
  line: number;
  type: LineType;
  says: string[];
  undone: boolean;
  undone_by: number | null;
  /** Of evidence: of which race it is. */
  race: number | null;
  wall: string | null;
}

/** How the box stands, in words for somebody who has just come. */
export interface Now {
  title: string;
  says: string;
}

export interface Phone {
  code: string;
  asks: Colour | null;
  seat: Colour | null;
  connected: boolean;
  error_ms: number | null;
  delay_ms: number;
}

/** How each input is; `withheld`: why that is not told now. */
export interface Health {
  withheld: string | null;
  inputs: InputHealth[];
}

export interface InputHealth {
  line: string;
  button: Button;
  is_down: boolean | null;
  presses: number;
  pressed_ms_ago: number | null;
  bounce_us: number | null;
  bounces: number;
  glitches: number;
  fault: string | null;
  is_doubtful: boolean;
  says: string;
}

// -- the record, and a replacement ------------------------------------------------------------------------------------

/** A line's type: "press", "close", …, or one of the game's own. */
export type LineType = string;

/** A line as the record has it: its fields are those of its type. One that hides something has no more than whose. */
export interface Content {
  type: LineType;
  [field: string]: unknown;
}

export interface RecordDocument {
  match: number | null;
  seen: number;
  cards: { value: Card; label: string }[];
  presses: KnownPress[];
  lines: RecordLine[];
}

export interface RecordLine {
  line: number;
  says: string;
  content: Content;
  fields: LineField[];
}

/** A press that the record has, to be put in at its time; `told`: in a remark. */
export interface KnownPress {
  line: number;
  says: string;
  state: "counts" | "ignored" | "taken back" | "told";
  content: Content;
}

/** What of a line may be replaced by another value. */
export interface LineField {
  name: string;
  label: string;
  values: { value: string | number | boolean; label: string }[];
}

/** What stands in the place of a line, nothing takes the line out; or `before` it: the line after the newest is the
 * end of the record. */
export interface Change {
  line: number;
  with: Content[];
  before?: boolean;
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
  then: { offer: Offer | null };
}

// -- other documents --------------------------------------------------------------------------------------------------

export interface Session {
  referee: boolean;
  simulated: boolean;
  version: string;
}

/** Work that the next try of a PIN must bring; bits 0: none. */
export interface Puzzle {
  puzzle: string;
  bits: number;
}

export interface Link {
  urls: string[];
  lan: boolean;
  trust: string | null;
}

export interface Game extends GameName {
  min_seats: number;
  max_seats: number;
  seat_titles: string[];
  /** What `first` is called where that one does not begin, else empty. */
  first_title: string;
  roles: Role[];
  variants: Variant[];
  parameters: Parameter[];
}

/** A short match to look at: each step as the state of a box, with what is to be told of it. */
export interface Demonstration {
  game: string;
  title: string;
  scenes: { caption: string; state: State }[];
}

/** What a word on the pages means, and where the help page has it. */
export interface Word {
  word: string;
  says: string;
  more: string;
}

/** The value of a parameter: yes or no, a number, the key of a choice; of a file its text. */
export type Setting = boolean | number | string;

/** What a game's setup asks. */
export interface Parameter {
  key: string;
  label: string;
  kind: "yes-no" | "choice" | "number" | "file";
  default: Setting;
  choices: { key: string; label: string }[];
  low: number;
  high: number;
}

/** How a game's things look. */
export interface Look {
  symbols: Record<string, Stroke[]>;
  cards: LookCard[];
  buttons: ButtonFace[];
}

/** A path in a square of 24 × 24. width: of the line, 0 for an area. turned: degrees about the middle, clockwise. */
export interface Stroke {
  path: string;
  width: number;
  turned: number;
}

/** A card: `name` is what the API takes and the record has; `label` and, of several, `plural` are for people. */
export interface LookCard {
  name: Card;
  label: string;
  plural: string;
  colour: Colour | null;
  symbol: string | null;
  is_counted: boolean;
  /** The two letters by which a referee enters it. */
  keys: string;
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
  look?: never;
  lines?: number;
  seats: never[];
  course: never[];
  races: never[];
  figures: never[];
  variants?: never;
  highlights?: never;
  ledgers?: never;
  scores?: never;
  protests?: never;
}

export interface ToldMatch extends Omit<ListedMatch, "seats" | "lines"> {
  fault: string | null;
  look: string;
  lines?: number;
  over: boolean;
  seats: { colour: Colour; short: string; name: string | null }[];
  variants: Variant[];
  score_label: string;
  scores: { colour: Colour; score: number }[];
  leaders: Colour[];
  outcome: string[];
  protests: Protest[];
  signed: Colour[];
  course: CourseEntry[];
  ledgers: Ledger[];
  races: PastRace[];
  highlights: Highlight[];
  figures: Figure[];
}

/** What was remarkable in a match, and whom it is about. */
export interface Highlight {
  kind: "fastest" | "closest" | "punished";
  title: string;
  colours: Colour[];
  says: string;
}

export interface PastRace {
  number: number;
  disputed: Colour[];
  card: Card | null;
  revealed: boolean;
  presses: PastPress[];
  /** Whether the record names evidence of it, so that it can be drawn as a photo finish. */
  evidence: boolean;
}

export interface PastPress {
  place: number;
  colour: Colour;
  role: Role;
  /** The same for people. */
  role_says: string;
  reaction_ns: number | null;
  error_ns: number;
  gap_ns: number;
  gap_text: string;
  allowance_text: string | null;
  says: string;
  dead_heat: boolean;
  anticipated: boolean;
  verdict: Verdict | null;
}

/** The times of a match, to be drawn: each player's, with three of them in words. */
export interface Figure {
  title: string;
  how: string;
  players: FigurePlayer[];
}

export interface FigurePlayer {
  colour: Colour;
  values: { ns: number; error_ns: number; says: string }[];
  median_ns: number;
  fastest: string;
  median: string;
  slowest: string;
}

// -- people -----------------------------------------------------------------------------------------------------------

/** The list of players, standings, evenings and links. */
export interface People {
  people: { name: string; says: string; matches: number }[];
  standings: SheetTable[];
  evenings: { evening: string; says: string; matches: string; players: string }[];
  shares: Share[];
  notes: string[];
  fault: string | null;
}

/** A link that shows one sheet without the PIN; `address` is below the box's. */
export interface Share {
  token: string;
  address: string;
  says: string;
}

/** All that is told of a person, an evening, or the result of a match; `pdf` null: `pdf_says` why not. */
export interface Sheet {
  title: string;
  about: string[];
  tables: SheetTable[];
  plots: { title: string; how: string; lanes: (FigurePlayer & { label: string })[] }[];
  bars: { title: string; how: string; bars: { label: string; part: number; of: number; says: string }[] }[];
  notes: string[];
  pdf: string | null;
  pdf_says: string | null;
}

export interface SheetTable {
  title: string;
  head: string[];
  rows: SheetCell[][];
  how: string;
  /** Which cell a row is called by. */
  named_by: number;
}

export interface SheetCell {
  text: string;
  colour: Colour | null;
  href: string | null;
}

// -- profiles ---------------------------------------------------------------------------------------------------------

/** Everybody's profiles; `problems`: what cannot be read, in sentences. */
export interface Profiles {
  profiles: Profile[];
  problems: string[];
}

/** A person's profile without what their card says; `measured`: when the allowance was. */
export interface Profile {
  name: string;
  wishes: Wishes;
  allowance_ms: number;
  measured: string | null;
  has_card: boolean;
  concessions: string[];
}

/** What a person may change of it; what is left out is as usual. */
export interface Wishes {
  language?: string;
  voice?: { rate?: number; volume?: number; wordiness?: "few" | "usual" | "full" };
  filters?: { bounce_ms?: number; accept_ms?: number; repeat_ms?: number };
  extension_s?: number | null;
  input?: "buttons" | "scan";
  scanning?: {
    way?: "automatic" | "step" | "inverse"; dwell_s?: number; loops?: number; order?: number[]; start?: number;
    again?: boolean; move?: number;
  };
  mapping?: { device: string; code: number; place: number }[];
  screens?: { simple?: boolean; large?: boolean; signals?: ("tones" | "lamp" | "motor" | "phone")[] };
}

/** What goes with a person: a file, the text of a code and their card, the last three as SVG too. */
export interface Along {
  name: string;
  file: string;
  code: string | null;
  code_says: string | null;
  code_svg: string | null;
  card: string | null;
  card_svg: string | null;
  address: string | null;
  address_svg: string | null;
}

export interface Touched {
  place: number;
  from_ms: number;
  until_ms: number;
}

/** What a trial leads to, and each touch as it would be then; `why` "" where it counts. */
export interface HandTrial {
  accept_ms: number;
  repeat_ms: number;
  fits: boolean;
  rounds: number;
  right: number;
  says: string[];
  touches: { place: number; from_ms: number; length_ms: number; is_press: boolean; why: string }[];
}

// -- files that games ask for -----------------------------------------------------------------------------------------

/** A parameter that is a file: which game's. */
export interface FileOf {
  game: string;
  key: string;
}

export interface GameFiles {
  asked: FileAsked[];
  /** What lies in the box's folder and is left out, in sentences. */
  problems: string[];
  room: { files: number; most_files: number; bytes: number; most_bytes: number; largest: number };
}

export interface FileAsked extends FileOf {
  title: string;
  label: string;
  /** Whether something stands there where nothing is said. */
  needed: boolean;
  min_seats: number;
  max_seats: number;
  files: ListedFile[];
}

export type FileKind = "usual" | "sample" | "kept";

/** `seen`: of a file that is kept, as it is now; it is given back with whatever changes it. */
export interface ListedFile {
  name: string;
  title: string;
  kind: FileKind;
  is_usual: boolean;
  seen: string | null;
  faults: number;
}

export interface GameFile extends FileOf {
  title: string;
  label: string;
  name: string;
  text: string;
  kind: FileKind;
  seen: string | null;
  faults: FileFault[];
}

/** `line`: from 1, null where it is no single one. */
export interface FileFault {
  line: number | null;
  says: string;
}

/** What happens in a match that is tried out. */
export type TriedStep =
  | { do: "presses"; presses: { button: Button; ms: number }[] }
  | { do: "wait"; ms: number }
  | { do: "reveal"; card: Card }
  | { do: "no-card" }
  | { do: "close" }
  | { do: "end" }
  | ({ do: "choose" } & Choose);

/** A match that is tried out, after `done` of its steps. `refused`: the step that could not be done, and why. */
export interface Rehearsal {
  state: State;
  course: CourseEntry[];
  secrets: Record<string, { prompt: string; items: { button: Button | null; label: string; value: string }[] }[]>;
  next: NextStep | null;
  done: number;
  refused: { step: number; says: string } | null;
}

/** A stored match judged by a text. `why_not`: why it cannot be compared, else empty. */
export interface DryRun {
  match: number;
  races: number;
  agreed: number;
  differing: { race: number; ruled: string; would: string }[];
  left_out: number;
  why_not: string;
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
  "/api/session/puzzle": Puzzle;
  "/api/link": Link;
  "/api/state": State;
  "/api/course": { match: number | null; entries: CourseEntry[] };
  "/api/games": Game[];
  [look: `/api/games/${string}/look`]: Look;
  "/api/dead-heats": Policy[];
  "/api/words": Record<string, Word>;
  "/api/demonstrations": { name: string; title: string }[];
  [demonstration: `/api/demonstrations/${string}`]: Demonstration;
  "/api/record": RecordDocument;
  "/api/health": Health;
  "/api/matches": ListedMatch[];
  "/api/people": People;
  "/api/people/names": string[];
  "/api/profiles": Profiles;
  "/api/files": GameFiles;
  [file: `/api/files/${string}/${string}/${string}`]: GameFile;
  [match: `/api/matches/${string}`]: PastMatch;
}

/** What is told as a sheet. */
export interface Sheets {
  [person: `/api/people/${string}/sheet`]: Sheet;
  [evening: `/api/evenings/${string}/sheet`]: Sheet;
  [link: `/api/shared/${string}/sheet`]: Sheet;
  [result: `/api/matches/${string}/result`]: Sheet;
}

interface Seen {
  /** `state.match.lines` as the page showed it. */
  seen?: number | undefined;
}

/** What a referee may ask for: the body of each POST that is answered by `Done`. */
export interface Commands {
  "/api/match": NewMatch;
  "/api/reveal": Seen & { card: Card };
  "/api/scan": { code: string; age_ms: number };
  "/api/no-card": Seen;
  "/api/close": Seen;
  "/api/card-for": Seen & { seat: Colour; role: Role };
  "/api/none": Seen & { seat: Colour };
  "/api/dismiss": Empty;
  "/api/choose": Seen & Choose;
  "/api/by-hand": Seen & { set: string; value: number; reason: string; by: string };
  "/api/was-play": Seen;
  "/api/another-card": Seen & { card: Card; by: string };
  "/api/undo": { line: number; reason?: string; by?: string };
  "/api/undo/reason": { lines: number[]; reason: string; by?: string };
  "/api/replace": { changes: Change[]; reason: string; by: string; seen: number };
  "/api/for-new-card": Seen & { line: number; by: string };
  "/api/protest": { colour: Colour; race?: number; text?: string };
  "/api/answer": { protest: number; text: string; stands: boolean; by: string };
  "/api/sign": { colour: Colour };
  "/api/end": Seen;
  "/api/leave": Empty;
  "/api/sound": { on: boolean };
  "/api/input": { button: string | null; forget?: boolean };
  "/api/consent": { seat: Colour; by: string };
  "/api/calibrate": { player: Colour };
  "/api/calibration": { step: CalibrationStep; seat?: Colour; way?: CalibrationSeat["way"] };
  "/api/agree": { seat: Colour; agrees?: boolean };
  "/api/resume": { resume: boolean };
  "/api/remark": { text: string; by?: string };
  "/api/people/add": { name: string };
  "/api/people/rename": { name: string; to: string };
  "/api/people/remove": { name: string };
  "/api/shares/remove": { token: string };
  "/api/sit": { seat: Colour; name?: string };
  "/api/profiles/remove": { name: string };
  "/api/profile/remove": { card: string };
  "/api/door": { open: boolean };
  "/api/phones": { codes: string[] };
  "/api/files/remove": FileOf & { name: string; seen: string };
  "/api/try": { game?: string; files?: Record<string, { name: string; text: string }> };
  "/api/try/card": { card: Card };
  [phone: `/api/phones/${string}`]: { seat: Colour | null };
}

/** One of the ways in which an offer asks for a choice. */
export type Choose = { kind?: string; seat?: Colour | null } & (
  | { option: string } | { number: number } | { steps: string[] } | { roll: true } | { result: string[] }
);

export type Empty = Record<string, never>;

export interface NewMatch {
  game: string;
  seats: { colour: Colour; name?: string; allowance_ms?: number; by_profile?: boolean }[];
  first?: Colour;
  variants?: string[];
  parameters?: Record<string, Setting>;
  files?: Record<string, { name: string; text: string }>;
  dead_heat?: DeadHeat;
  window_ms?: number;
  abandon?: boolean;
  practice?: boolean;
  timing?: Timing;
}

/** The body of every POST. */
export interface Bodies extends Commands {
  "/api/session": { pin: string; work?: { puzzle: string; number: number } };
  "/api/session/ask-code": Empty;
  "/api/session/code": { ticket: string; code: string };
  "/api/replace/preview": Seen & { changes: Change[] };
  "/api/for-new-card/preview": Seen & { line: number };
  "/api/steps": { kind: string; seat: Colour | null; chosen: string[] };
  "/api/profiles/begin": { name: string };
  "/api/profiles/change": { name: string; wishes: Wishes };
  "/api/profiles/card": { name: string };
  "/api/profiles/import": { text: string; instead?: boolean };
  "/api/profiles/along": { name: string };
  "/api/profile": { card: string };
  "/api/profile/change": { card: string; wishes: Wishes };
  "/api/profile/along": { card: string };
  "/api/profile/trial": {
    touches: Touched[]; rounds: { place: number; from_ms: number }[]; bounce_ms?: number; card?: string;
  };
  "/api/shares/person": { person: string };
  "/api/shares/evening": { evening: string };
  "/api/files/check": FileOf & { text: string };
  "/api/files/save": FileOf & { name: string; text: string; seen: string | null };
  "/api/files/try": FileOf & {
    text: string; seats: Colour[]; steps: TriedStep[]; asks?: { kind: string; seat: Colour | null; chosen: string[] };
  };
  "/api/files/dry-run": FileOf & { text: string; match: number };
}

/** What every POST is answered by. */
export interface Answers extends Record<keyof Commands, Done> {
  "/api/session": Session;
  "/api/session/ask-code": { ticket: string; seconds: number };
  "/api/session/code": Session;
  "/api/replace/preview": Preview;
  "/api/for-new-card/preview": Preview;
  "/api/steps": NextStep;
  "/api/profiles/begin": Profile;
  "/api/profiles/change": Profile;
  "/api/profiles/card": Profile;
  "/api/profiles/import": Profile;
  "/api/profiles/along": Along;
  "/api/profile": Profile;
  "/api/profile/change": Profile;
  "/api/profile/along": Along;
  "/api/profile/trial": HandTrial;
  "/api/shares/person": Share;
  "/api/shares/evening": Share;
  "/api/files/check": { faults: FileFault[] };
  "/api/files/save": Done & { name: string; seen: string; faults: FileFault[] };
  "/api/files/try": Rehearsal;
  "/api/files/dry-run": DryRun;
}

// -- the WebSocket ----------------------------------------------------------------------------------------------------

export type Tone = "accepted" | "ignored" | "punished" | "first" | "your choice" | "refused" | "little time"
  | "time is up";
export type By = "touch" | "mouse" | "key";

export interface Hello {
  type: "hello";
  box: string;
  seq: number;
  resumed: boolean;
  referee: boolean;
  simulated: boolean;
}

/** What hello said of the referee is so no longer. */
export interface RightsMessage {
  type: "rights";
  referee: boolean;
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
  seats: Colour[];
  follows: boolean;
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
  /** How finely its clock is told, as the box has seen. */
  step_ms: number;
  /** How often its screen is looked at, null where it has not been tried. */
  touch_ms: number | null;
}

/** To the one panel that plays a seat: its private choices, each with what its buttons pick. */
export interface SecretMessage {
  type: "secret";
  seat: Colour | null;
  choices: Secret[];
}

export interface Secret {
  prompt: string;
  items: { button: Button | null; label: string; value: string }[];
}

/** To the one panel that plays a seat which scans by a switch: what it is offered now, for itself alone. */
export interface SwitchMessage {
  type: "switch";
  /** null: this panel's seat plays by buttons. */
  seat: Colour | null;
  /** The button that the switch stands for, and that of a second switch, which moves on; null: there is one alone. */
  picks: Button | "";
  moves: Button | null;
  title: string;
  /** The place of what is offered, from 1; 0: nothing is. */
  number: number;
  of: number;
  says: string;
  /** It is picked, and a press takes it back. */
  picked: boolean;
}

/** To the one panel that plays a seat: how whoever sits there by a profile wants it. seat null: nobody does. */
export interface WishesMessage {
  type: "wishes";
  seat: Colour | null;
  /** A code that the box speaks; "" for the page's own. */
  language: string;
  simple: boolean;
  large: boolean;
  trembles: boolean;
  sounds: boolean;
  /** Of a voice: 1 is its own rate, and full volume; null for as this browser has them. */
  rate: number | null;
  volume: number | null;
}

/** How the line of a player's page is drawn. */
export type Mood =
  | "guest" | "wait" | "open" | "turn" | "choose" | "taken" | "good" | "bad" | "late" | "over";
/** What became of a press. */
export type PressFate =
  | "counts" | "waits for its card" | "answers what the box asks" | "too late" | "already played" | "not yours"
  | "no card" | "nothing to do" | "taken back" | "lies face down" | "too early";

/** To one panel alone: all that a player's page says to whoever sits there. */
/** What a seat is told by light, touch and tone. */
export type Sign = "open" | "yours" | "first" | "punished" | "accepted" | "ignored" | "refused" | "little time"
  | "time is up" | "alarm";

export interface Me {
  type: "me";
  /** The seat that this panel plays, null for none. */
  seat: Colour | null;
  mood: Mood;
  /** What the line says, to be felt; null for nothing of that. */
  sign: Sign | null;
  headline: string;
  detail: string;
  /** What the seat has: "4 cards"; null where it has nothing that counts. */
  pile: string | null;
  buttons: MyButton[];
  /** What is to be chosen by a tap, where the four buttons cannot name all of it. */
  options: { kind: string; key: string; item: number | null; label: string }[];
  /** Whether the seat may say now which card it has turned up. */
  enters: boolean;
  /** What the seat has drawn unseen and still holds, for its own eyes alone; a note where this box cannot say. */
  in_hand: { label: string; items: string[]; note: string }[];
  /** The seat's newest press of this match. */
  press: { number: number; fate: PressFate } | null;
  /** The seats that can be asked for, where this panel plays none. */
  colours: { colour: Colour; name: string | null; says: string }[];
}

/** A seat's button, and what it does now. */
export interface MyButton {
  button: Button;
  label: string;
  symbol: string | null;
  says: string;
  does: boolean;
}

export interface Pressed {
  type: "pressed";
  n: number;
  taken: boolean;
  error_ms: number | null;
  why: string | null;
  /** Why it counts from its arrival, null where its own stamp is taken. */
  arrival: string | null;
}

/** Answers a protest or a signature: what was written down. */
export interface NotedMessage {
  type: "noted";
  says: string;
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
  | Hello | StateMessage | EventMessage | OledMessage | SoundMessage | Sync | PanelMessage | SecretMessage
  | SwitchMessage | WishesMessage | Pressed | NotedMessage | Pong | ErrorMessage | RightsMessage | Me;

export type PanelInput =
  | { type: "press"; button: Button; t_us: number; by: By }
  /** `seen`: a hand let it go; false where the browser took the finger or the key away. */
  | { type: "release"; button: Button; t_us: number; by: By; seen: boolean }
  | { type: "turn"; steps: number; t_us: number; by: By };
/** An input with its number among those of its panel. */
export type Numbered = PanelInput & { n: number };

/** When a choice was tapped, and by what. */
export type Made = { t_us: number; by: By };

export type ToBox =
  | { type: "ping" }
  | { type: "watch"; oled: boolean }
  | { type: "panel"; client?: string; asks?: Colour }
  | { type: "sync"; id: number; t_us: number }
  | { type: "tried"; step_us: number; touch_us: number | null }
  | { type: "protest"; race?: number; text?: string }
  | { type: "sign" }
  | { type: "none" }
  | ({ type: "choose"; kind: string; option: string } & Partial<Made>)
  | ({ type: "pick"; item: number; label: string } & Partial<Made>)
  | { type: "card"; card: Card }
  | { type: "scan"; code: string; age_ms: number }
  | { type: "leave" }
  | { type: "sit"; card: string }
  | Numbered;
