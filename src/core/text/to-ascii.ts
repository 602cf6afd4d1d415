/** Converts Latin, Greek and Cyrillic letters to ASCII: `größe` to `grosse`, `Książka` to `Ksiazka`; others stay. */
export function toAscii(text: string): string {
  if (isAscii(text)) return text
  return Array.from(text.normalize('NFC'), (letter) => {
    const plain = Array.from(letter.normalize('NFKD').replaceAll(/\p{M}/gu, ''), write).join('')
    // Some letters with marks have a form of their own: й is not и.
    const written = letters.has(letter.toLowerCase()) ? write(letter) : plain
    return isAscii(written) ? written : letter
  }).join('')
}

/** Letters that have no canonical decomposition into ASCII, as they are usually written in ASCII. */
const letters = new Map(
  [
    'ß ss æ ae œ oe ø o ð d đ d ħ h ı i ł l ŋ ng þ th ŧ t',
    'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o',
    'а a б b в v г g ґ g д d е e є ie ж zh з z и i і i ї i й i к k л l м m н n о o п p р r с s т t у u ф f х kh',
    'ц ts ч ch ш sh щ shch ъ  ы y ь  э e ю iu я ia ђ dj ј j љ lj њ nj ћ c џ dz',
  ].flatMap((row) => {
    const words = row.split(' ')
    return words.flatMap((word, at): [string, string][] =>
      at % 2 === 0 ? [[word, words[at + 1] ?? '']] : [],
    )
  }),
)

function write(letter: string): string {
  const small = letter.toLowerCase()
  const found = letters.get(small)
  if (found === undefined || small === letter) return found ?? letter
  return found.replace(/^./, (first) => first.toUpperCase())
}

/** Whether all characters of a text are ASCII. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7F]*$/.test(text)
}
