/** Puts the indefinite article before an English noun: `an author`, `a user`. */
export function withArticle(noun: string): string {
  const isVowel = /^[aeiou]/i.test(noun) ? !consonantSound.test(noun) : silentH.test(noun)
  return `${isVowel ? 'an' : 'a'} ${noun}`
}

/** Words that begin with a vowel letter but with the sound of a consonant: `user`, `unit`, `one`, `URL`. */
const consonantSound = /^(?:eu|one\b|once\b|u(?:[bcfhjkqrst][aeiou]|ni(?![mn])|ti|ui|rl\b))/i

/** Words that begin with a silent `h`: `hour`, `honor`. */
const silentH = /^(?:hour|hono|heir)/i
