// What the app's own API answers with.

export type Status = "open" | "completed" | "archived";
export type Category = "task" | "idea" | "observation" | "fact";

export interface Session {
  kind: "owner" | "key";
  account: string;
  key: { id: string; name: string; prefix: string } | null;
}

interface Facts {
  id: string;
  status: Status;
  category: Category;
  author: "user" | "agent";
  agent_name?: string;
  created_at: string;
  captured_at: string;
  updated_at: string;
  revision: number;
}

/** A thought as it stands in lists. */
export interface Listed extends Facts {
  snippet: string;
  cut: boolean;
  why?: string[];
  score?: number;
  notes?: { name: string; snippet: string }[];
  superseded_by?: string;
}

/** A thought with its whole text. */
export interface Thought extends Facts {
  raw_text: string;
}

export interface Page {
  thoughts: Listed[];
  order: "created_at" | "relevance";
  next_cursor: string | null;
}

export interface Entity {
  id: string;
  name: string;
  kind: string;
  thoughts: number;
}

export interface Note {
  id: string;
  name: string;
  bytes: number;
  created_at: string;
}

export interface Detail {
  thought: Thought;
  can_undo: boolean;
  can_redo: boolean;
  enrichment: "done" | "pending" | "given_up";
  entities: { id: string; name: string; kind: string }[];
  linked: { thought: Listed; weight: number; as: "replacement" | "replaced" | "related" }[];
  notes: Note[];
  more_notes: boolean;
}

export interface Part {
  same?: string;
  removed?: string;
  added?: string;
  skipped?: number;
}

export interface Edited {
  thought: Thought;
  previous_status: Status;
  changed: string[];
  by_model: boolean;
  difference: Part[] | null;
  can_undo: boolean;
  can_redo: boolean;
}

export interface Revision {
  number: number;
  at: string;
  kind: "change" | "model_change" | "undo" | "redo";
  by: string;
  status: { before: Status; after: Status } | null;
  difference: Part[] | null;
}

export interface EntityDetail {
  entity: Entity & { also?: string[] };
  neighbours: (Entity & { together: number })[];
}

export interface Node {
  id: string;
  type: "entity" | "thought";
  label: string;
  kind?: string;
  thoughts?: number;
  category?: Category;
  status?: Status;
}

export interface Edge {
  from: string;
  to: string;
  type: "mention" | "link";
  weight: number;
}

export interface Graph {
  nodes: Node[];
  edges: Edge[];
  showing: number;
  of: number;
}

export interface Key {
  id: string;
  name: string;
  prefix: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface Counts {
  total: number;
  status: Record<Status, number>;
  authors: { author: "user" | "agent"; agent_name?: string; thoughts: number }[];
  categories: Record<Category, number>;
  months: { month: string; thoughts: number }[];
  notes: number;
  entities: number;
  pending: number;
  given_up: number;
}

export interface Facets {
  agents: string[];
  categories: Category[];
  entities: Entity[];
  more_entities: boolean;
}

export interface Duplicates {
  groups: { thoughts: Listed[]; more: number }[];
  next_cursor: string | null;
  total: number;
}
