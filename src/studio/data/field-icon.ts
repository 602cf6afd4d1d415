import {
  AtSign,
  Binary,
  Braces,
  Calendar,
  CalendarClock,
  CircleDot,
  Fingerprint,
  Hash,
  KeyRound,
  Link,
  Link2,
  ToggleLeft,
  Type,
  WholeWord,
  type IconNode,
} from 'lucide'
import type { Field } from './fields.ts'

/** The icon of the type of a field. */
export function fieldIcon({ name, kind, format, relation }: Field, idField: string): IconNode {
  if (name === idField) return KeyRound
  if (relation) return Link2
  return formats[format] ?? kinds[kind]
}

const kinds: Readonly<Record<Field['kind'], IconNode>> = {
  string: Type,
  text: WholeWord,
  number: Hash,
  integer: Hash,
  boolean: ToggleLeft,
  enum: CircleDot,
  date: Calendar,
  'date-time': CalendarClock,
  json: Braces,
  any: Binary,
}

const formats: Readonly<Record<string, IconNode>> = {
  email: AtSign,
  uri: Link,
  uuid: Fingerprint,
}
