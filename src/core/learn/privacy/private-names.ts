import { createRedactor } from '../../log/redact.ts'

/** Decides by names which fields are private; `redact` adds names, `none` keeps personal data. */
export function createPrivateNames(redact: readonly string[] = []): PrivateNames {
  const redactor = createRedactor()
  // A token that identifies a page is no credential.
  const isSecret = (name: string): boolean =>
    redactor.isSecret(name) && !/page|next|prev|continuation|cursor|sync/i.test(name)
  const named = new Set(redact.map(simplify))
  const keepsPersonal = redact.includes('none')
  const kinds = keepsPersonal ? [] : privateKinds
  // The records of a collection have the same few names.
  const results = new Map<string, boolean>()
  const isPersonal = (name: string): boolean => {
    const known = results.get(name)
    if (known !== undefined) return known
    const simple = simplify(name)
    const result = named.has(simple) || kinds.some(({ names }) => names.test(simple))
    if (results.size < maxNames) results.set(name, result)
    return result
  }
  return {
    keepsPersonal,
    isSecret,
    isPrivate(name, siblings) {
      if (isSecret(name) || isPersonal(name)) return true
      // A name beside an email address or a telephone number is the name of a person.
      return /^(?:display)?name$/.test(simplify(name)) && siblings.some(isPersonal)
    },
  }
}

/** The rules by which fields are private. */
export interface PrivateNames {
  /** Whether the values of a field are substituted; `siblings` are the fields of the same object. */
  isPrivate(name: string, siblings: readonly string[]): boolean
  isSecret(name: string): boolean
  keepsPersonal: boolean
}

/** The names of fields that hold personal data. The documentation has them as a table. */
export const privateKinds: readonly PrivateKind[] = [
  { title: 'email addresses', names: /e?mail(?:address)?$/ },
  { title: 'telephone numbers', names: /^(?:.*(?:phone|mobile|fax)(?:no|nr|number)?|tel|cell)$/ },
  {
    title: 'names of persons',
    names: /^(?:.*(?:first|last|middle|given|family|full|maiden)name|surname|forename)$/,
  },
  {
    title: 'addresses',
    names: /^(?:.*(?:street|addressline)\d?|street(?:address|name)|address[12]?)$/,
  },
  { title: 'dates of birth', names: /^(?:birth(?:day|date)|dateofbirth|dob)$/ },
  {
    title: 'numbers of identity, tax and health',
    names: /^(?:ssn|socialsecurity(?:number)?|taxid|nationalid|passport(?:no|number)?|nhsnumber)$/,
  },
  {
    title: 'bank accounts and cards',
    names: /^(?:iban|bic|(?:credit)?card(?:no|number)|accountn(?:o|umber)|cvv|cvc|sortcode)$/,
  },
  { title: 'network addresses', names: /^(?:.*ipaddress|ip|remoteaddr)$/ },
]

/** The most names whose result is cached. */
const maxNames = 10_000

interface PrivateKind {
  title: string
  /** Matches the names of fields, in lower case and without separators. */
  names: RegExp
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
