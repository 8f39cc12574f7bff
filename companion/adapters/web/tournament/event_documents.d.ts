// What goes over the wire at a tournament's desk, as types for the pages' JavaScript. Read by the compiler alone.
// `companion/screens/tournament/` and `messages.py` make these documents; a test compares real ones with what is here.

export type Role = "organiser" | "referee";
export type Stage = "entering" | "check-in" | "running" | "ended";
export type TableStage = "drawn" | "playing" | "disputed" | "open" | "final";
export type TieBreak = "points" | "wins" | "cards" | "opponents" | "punishments" | "lots";

export interface Session { role: Role | null; version: string }
export interface Puzzle { puzzle: string; bits: number }
export interface Done { ok: true; says: string }
export interface Refusal { error: { code: string; message: string } }

export interface Seated { player: number; name: string }
export interface Named extends Seated { club: string }

export interface Clock { left_ms: number; is_running: boolean }
export interface Counts { all: number; final: number; open: number; disputed: number }
export interface Step { key: string; part: string; says: string }

export interface EventNow {
  id: string; name: string; game: string;
  stage: Stage; stage_says: string; now: string; next: Step;
  round: number | null; rounds: number | null; round_minutes: number | null; has_begun: boolean;
  clock: Clock | null;
  players: { entered: number; there: number };
  tables: Counts | null;
  announcements: { number: number; text: string }[];
  seed_sha256: string; seed: string | null; head: string; lines: number;
}

export interface Placed { player: number; rank: number; cards: number | null; punished: number; points: number }
export interface TableRow {
  round: number; table: number; stage: TableStage; says: string; players: Seated[];
  box: string | null; is_there: boolean; shown: string[];
  result: Placed[] | null; by_hand: boolean; reason: string | null;
}

export interface Tables { version: number; round: number | null; rows: TableRow[]; byes: Seated[] }
export interface PairingsOf {
  round: number | null; rounds: number; sheet?: string;
  tables: { table: number; players: Named[] }[]; byes: Named[];
}
export interface Pairings extends PairingsOf { version: number }

export interface Column { key: TieBreak; title: string; how: string }
export interface Standing {
  place: number; player: number; name: string; club: string; points: number; values: string[]; is_final: boolean;
}
export interface Standings {
  version: number; rounds: number; is_final: boolean; waiting: number; columns: Column[]; rows: Standing[];
}

export interface RoundOf {
  round: number; points: number | null; why: string; says: string;
  table: number | null; rank: number | null; seats: number | null; opponents: Seated[]; is_final: boolean;
}
export interface Explained extends Standing {
  numbers: { key: TieBreak; title: string; how: string; value: string; rows: string[] }[];
  rounds: RoundOf[];
}
export interface Player extends Named {
  is_there: boolean; is_over: boolean;
  now: { round: number; table: number | null; players: Seated[] } | null;
  standing: Explained | null; of: number;
}

export interface Entry extends Named { fixed: number | null; is_there: boolean; has_entered: boolean }
export interface Players {
  version: number; players: Entry[];
  apart: { one: number; one_name: string; other: number; other_name: string }[];
}
export interface Box {
  box: string; is_there: boolean; table: number | null; code: string; software: string | null;
  lines: number; behind: number; fault: string | null;
}
export interface Boxes { version: number; boxes: Box[]; waiting: { box: string; why: string }[]; gone: string[] }
export interface Cost { meetings: number; spread: number; seats: number }
export interface Rounds {
  version: number;
  rounds: {
    round: number; tables: number; byes: number; sheet: string; has_begun: boolean;
    changed: { reason: string; by: string; difference: Cost } | null;
  }[];
}
export interface Swap { before: Cost; after: Cost; one: string; other: string }
export interface Notes { version: number; notes: string[]; faults: string[] }

export interface Dispute {
  round: number; table: number; match: string; line: number; box: string | null; players: Seated[];
  answer: { text: string; by: string; stands: boolean; until: string | null } | null;
}
export interface Disputes { version: number; disputes: Dispute[] }
export interface Account {
  says: string; colour: string; race: number | null;
  seats: { colour: string; short: string; name: string | null }[];
  presses: { colour: string; says: string; gap: string; verdict: string | null; allowance: string | null }[];
  course: string[]; evidence: string | null; fault: string | null;
}
export interface Prints { prints: { key: string; title: string; round: number | null }[]; papers: string[] }

/** What each address gives. */
export interface Documents {
  "/api/session": Session;
  "/api/session/puzzle": Puzzle;
  "/api/event": { version: number } & EventNow;
  "/api/tables": Tables;
  "/api/pairings": Pairings;
  [address: `/api/pairings/${number}`]: PairingsOf;
  "/api/standings": Standings;
  [address: `/api/player/${number}`]: Player;
  "/api/players": Players;
  "/api/boxes": Boxes;
  "/api/rounds": Rounds;
  "/api/notes": Notes;
  "/api/disputes": Disputes;
  [address: `/api/swap/${number}/${number}/${number}`]: Swap;
  [address: `/api/disputes/${number}/${number}/${string}/${number}`]: Account;
  "/api/prints": Prints;
}

export type Part = "tables" | "pairings" | "standings" | "players" | "boxes" | "rounds" | "notes" | "disputes";
export type Versions = Partial<Record<Part | "event", number>>;

/** What the desk is asked to do, by the address. */
export interface Acts {
  "enter-player": { name: string; club: string; fixed: number | null; there: boolean };
  "edit-player": { player: number; name: string; club: string; fixed: number | null };
  "keep-apart": { one: number; other: number; apart: boolean };
  "open-check-in": Record<string, never>;
  "close-check-in": Record<string, never>;
  "check-in": { player: number };
  drop: { player: number };
  "enrol-box": { code: string };
  "let-box-go": { box: string; reason: string };
  draw: { round: number };
  swap: { round: number; one: number; other: number; reason: string; by: string };
  assign: { round: number; table: number; box: string };
  clock: { round: number; action: "start" | "pause" | "resume" | "stop"; minutes: number | null };
  announce: { text: string; by: string };
  result: {
    round: number; table: number; places: { player: number; rank: number; cards: number | null }[];
    reason: string; by: string;
  };
  points: { round: number; player: number; points: number; reason: string; by: string };
  final: { round: number; table: number };
  answer: {
    round: number; table: number; match: string; line: number; text: string; by: string; stands: boolean;
    minutes: number | null;
  };
  end: Record<string, never>;
}

export type FromDesk =
  | { type: "hello"; desk: string; versions: Versions }
  | { type: "changed"; versions: Versions }
  | { type: "event"; event: EventNow }
  | { type: "rows"; version: number; rows: TableRow[] }
  | { type: "pong" };
